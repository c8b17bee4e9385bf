// Generated from docs/reference/openapi.json by npm run types.

/** Method, path under /api/v1, right. */
export const operations = {
  'advice.accept': ['POST', '/optimizer/recommendations/{id}/accept', 'operate'],
  'advice.applied': ['POST', '/optimizer/recommendations/{id}/applied', 'operate'],
  'advice.list': ['GET', '/optimizer/recommendations', 'view'],
  'advice.outcome': ['POST', '/optimizer/recommendations/{id}/outcomes', 'evaluate'],
  'advice.outcomes': ['GET', '/optimizer/recommendations/{id}/outcomes', 'view'],
  'advice.plan': ['GET', '/optimizer/recommendations/{id}/plan', 'view'],
  'advice.reject': ['POST', '/optimizer/recommendations/{id}/reject', 'operate'],
  'advice.show': ['GET', '/optimizer/recommendations/{id}', 'view'],
  'approvals.approve': ['POST', '/approvals/{id}/approve', 'approve'],
  'approvals.list': ['GET', '/approvals', 'view'],
  'approvals.reject': ['POST', '/approvals/{id}/reject', 'approve'],
  'approvals.show': ['GET', '/approvals/{id}', 'view'],
  'audit.list': ['GET', '/audit', 'view'],
  'audit.verify': ['POST', '/audit/verify', 'view'],
  'auth.explain': ['GET', '/auth/explain/{user}/{operation}', 'view'],
  'auth.password': ['POST', '/auth/password', 'view'],
  'backup': ['POST', '/backup', 'admin'],
  'bindings.list': ['GET', '/optimizer/bindings', 'view'],
  'bindings.set': ['POST', '/optimizer/bindings', 'operate'],
  'bindings.show': ['GET', '/optimizer/bindings/{id}', 'view'],
  'bindings.solve': ['POST', '/optimizer/bindings/{id}/solve', 'request'],
  'config.set': ['PATCH', '/config/{key}', 'admin'],
  'config.show': ['GET', '/config', 'view'],
  'datasets.build': ['POST', '/datasets', 'train'],
  'datasets.delete': ['DELETE', '/datasets/{id}', 'operate'],
  'datasets.diff': ['GET', '/datasets/{a}/diff/{b}', 'view'],
  'datasets.list': ['GET', '/datasets', 'view'],
  'datasets.show': ['GET', '/datasets/{id}', 'view'],
  'datasets.stats': ['GET', '/datasets/{id}/stats', 'view'],
  'datasets.verify': ['POST', '/datasets/{id}/verify', 'view'],
  'entities.list': ['GET', '/entities', 'view'],
  'entities.prune': ['POST', '/entities/prune', 'operate'],
  'entities.verify': ['POST', '/entities/verify', 'operate'],
  'evaluations.list': ['GET', '/evaluations', 'view'],
  'evaluations.show': ['GET', '/evaluations/{id}', 'view'],
  'experiments.list': ['GET', '/experiments', 'view'],
  'experiments.rebuild': ['POST', '/experiments/{id}/report', 'train'],
  'experiments.report': ['GET', '/experiments/{id}/report', 'view'],
  'experiments.show': ['GET', '/experiments/{id}', 'view'],
  'import': ['POST', '/imports', 'operate'],
  'imports.list': ['GET', '/imports', 'view'],
  'jobs.build': ['POST', '/jobs/dataset-build', 'train'],
  'jobs.cancel': ['POST', '/jobs/{id}/cancel', 'train'],
  'jobs.delete': ['DELETE', '/jobs/{id}', 'operate'],
  'jobs.list': ['GET', '/jobs', 'view'],
  'jobs.log': ['GET', '/jobs/{id}/log', 'view'],
  'jobs.reconcile': ['POST', '/jobs/reconciliation', 'operate'],
  'jobs.retention': ['POST', '/jobs/retention', 'admin'],
  'jobs.retry': ['POST', '/jobs/{id}/retry', 'train'],
  'jobs.show': ['GET', '/jobs/{id}', 'view'],
  'jobs.train': ['POST', '/jobs/training', 'train'],
  'lines.add': ['POST', '/lines', 'admin'],
  'lines.delete': ['DELETE', '/lines/{id}', 'admin'],
  'lines.list': ['GET', '/lines', 'view'],
  'marks.add': ['POST', '/marks', 'operate'],
  'marks.delete': ['DELETE', '/marks/{id}', 'operate'],
  'marks.list': ['GET', '/marks', 'view'],
  'models.delete': ['DELETE', '/models/{id}', 'operate'],
  'models.drift': ['GET', '/models/{id}/drift', 'view'],
  'models.evaluate': ['POST', '/models/{id}/evaluations', 'evaluate'],
  'models.evidence': ['GET', '/models/{id}/evidence', 'view'],
  'models.find': ['GET', '/model-search', 'view'],
  'models.history': ['GET', '/models/{id}/history', 'view'],
  'models.list': ['GET', '/models', 'view'],
  'models.predict': ['POST', '/models/{id}/predict', 'view'],
  'models.production': ['GET', '/production', 'view'],
  'models.promote': ['POST', '/models/{id}/promotion', 'request'],
  'models.replay': ['POST', '/models/{id}/replay', 'evaluate'],
  'models.show': ['GET', '/models/{id}', 'view'],
  'models.stage': ['POST', '/models/{id}/stage', 'request'],
  'models.verify': ['POST', '/models/{id}/verify', 'view'],
  'notices.list': ['GET', '/notices', 'view'],
  'notices.read': ['POST', '/notices/read', 'view'],
  'optimizer.capabilities': ['GET', '/optimizer/capabilities', 'view'],
  'plans.create': ['POST', '/training-plans', 'train'],
  'plans.delete': ['DELETE', '/training-plans/{id}', 'train'],
  'plans.disable': ['POST', '/training-plans/{id}/disable', 'train'],
  'plans.enable': ['POST', '/training-plans/{id}/enable', 'train'],
  'plans.list': ['GET', '/training-plans', 'view'],
  'plans.show': ['GET', '/training-plans/{id}', 'view'],
  'plans.train': ['POST', '/training-plans/{id}/train', 'train'],
  'plans.trainings': ['GET', '/training-plans/{id}/trainings', 'view'],
  'plant.apply': ['POST', '/plants', 'operate'],
  'plant.show': ['GET', '/plants/{line}', 'view'],
  'process-specs.activate': ['POST', '/process-specs/{name}/activate', 'train'],
  'process-specs.create': ['POST', '/process-specs', 'train'],
  'process-specs.list': ['GET', '/process-specs', 'view'],
  'process-specs.retire': ['POST', '/process-specs/{name}/retire', 'train'],
  'process-specs.show': ['GET', '/process-specs/{name}', 'view'],
  'products.add': ['POST', '/products', 'operate'],
  'products.delete': ['DELETE', '/products/{id}', 'operate'],
  'products.list': ['GET', '/products', 'view'],
  'profiles.activate': ['POST', '/optimizer/profiles/{id}/activate', 'operate'],
  'profiles.create': ['POST', '/optimizer/profiles', 'request'],
  'profiles.list': ['GET', '/optimizer/profiles', 'view'],
  'profiles.retire': ['POST', '/optimizer/profiles/{id}/retire', 'operate'],
  'profiles.show': ['GET', '/optimizer/profiles/{id}', 'view'],
  'recipes.add': ['POST', '/recipes', 'operate'],
  'recipes.delete': ['DELETE', '/recipes/{id}', 'operate'],
  'recipes.list': ['GET', '/recipes', 'view'],
  'recipes.set': ['PATCH', '/recipes/{id}', 'operate'],
  'recipes.show': ['GET', '/recipes/{id}', 'view'],
  'restore': ['POST', '/restore', 'admin'],
  'retention.run': ['POST', '/retention', 'admin'],
  'runs.add': ['POST', '/runs', 'operate'],
  'runs.delete': ['DELETE', '/runs/{id}', 'operate'],
  'runs.end': ['POST', '/runs/{id}/end', 'operate'],
  'runs.list': ['GET', '/runs', 'view'],
  'runs.show': ['GET', '/runs/{id}', 'view'],
  'samples.aggregate': ['GET', '/samples/{tag}/aggregate', 'view'],
  'samples.list': ['GET', '/samples/{tag}', 'view'],
  'samples.verify': ['POST', '/samples/verify', 'view'],
  'segments.confirm': ['POST', '/context-segments/{id}/confirm', 'approve'],
  'segments.list': ['GET', '/context-segments', 'view'],
  'segments.reject': ['POST', '/context-segments/{id}/reject', 'approve'],
  'segments.show': ['GET', '/context-segments/{id}', 'view'],
  'solves.list': ['GET', '/optimizer/runs', 'view'],
  'solves.show': ['GET', '/optimizer/runs/{id}', 'view'],
  'solves.try': ['POST', '/optimizer/runs/{id}/try', 'request'],
  'study.run': ['POST', '/studies', 'train'],
  'system': ['GET', '/system', 'view'],
  'tags.list': ['GET', '/tags', 'view'],
  'tags.set': ['PATCH', '/tags/{name}', 'operate'],
  'tags.show': ['GET', '/tags/{name}', 'view'],
  'tags.survey': ['GET', '/tags/survey', 'view'],
  'tests.plan': ['POST', '/tests/plan', 'view'],
  'tokens.create': ['POST', '/tokens', 'view'],
  'tokens.list': ['GET', '/tokens', 'view'],
  'tokens.revoke': ['POST', '/tokens/{id}/revoke', 'view'],
  'users.add': ['POST', '/users', 'admin'],
  'users.disable': ['POST', '/users/{id}/disable', 'admin'],
  'users.grant': ['POST', '/users/{id}/grants', 'admin'],
  'users.list': ['GET', '/users', 'admin'],
  'users.set': ['PATCH', '/users/{id}', 'admin'],
  'version': ['GET', '/version', 'view'],
} as const;

export type Operation = keyof typeof operations;

export interface Requests {
  'advice.accept': {
    id: string;
    by?: string;
    reason?: string;
  };
  'advice.applied': {
    id: string;
    by?: string;
    reason?: string;
  };
  'advice.list': {
    binding?: string;
    cursor?: string;
    limit?: number;
    line?: string;
  };
  'advice.outcome': {
    id: string;
    settle?: number;
    window?: number;
  };
  'advice.outcomes': {
    id: string;
  };
  'advice.plan': {
    id: string;
  };
  'advice.reject': {
    id: string;
    by?: string;
    reason?: string;
  };
  'advice.show': {
    id: string;
  };
  'approvals.approve': {
    id: string;
    comment?: string;
    digest?: string;
    password?: string;
    user?: string;
  };
  'approvals.list': {
    cursor?: string;
    limit?: number;
    line?: string;
    object?: string;
    status?: "pending" | "approved" | "rejected" | "expired";
  };
  'approvals.reject': {
    id: string;
    comment?: string;
    digest?: string;
    password?: string;
    user?: string;
  };
  'approvals.show': {
    id: string;
  };
  'audit.list': {
    action?: string;
    actor?: string;
    cursor?: string;
    from?: number;
    limit?: number;
    line?: string;
    target?: string;
    to?: number;
  };
  'audit.verify': {
    hash?: string;
    row?: number;
  };
  'auth.explain': {
    line?: string;
    operation: string;
    user: string;
  };
  'auth.password': {
    newPassword: string;
    password: string;
  };
  'backup': Record<string, unknown>;
  'bindings.list': {
    binding?: string;
    cursor?: string;
    limit?: number;
    line?: string;
  };
  'bindings.set': {
    enabled?: boolean;
    id?: string;
    node?: string[];
    profile?: string;
    reason?: string;
    version?: number;
  };
  'bindings.show': {
    id: string;
  };
  'bindings.solve': {
    id: string;
    forecasts?: Record<string, number[]>;
  };
  'config.set': {
    key: string;
    line?: string;
    reason?: string;
    value: string;
  };
  'config.show': {
    key?: string;
    line?: string;
  };
  'datasets.build': {
    beat?: number;
    cv?: string[];
    dryRun?: boolean;
    dv?: string[];
    format?: "series" | "windows" | "v1";
    from?: number;
    hampelK?: number;
    history?: number;
    horizon?: number;
    ignoreMarks?: boolean;
    integrating?: string[];
    line?: string;
    maxDropRatio?: number;
    mode?: string[];
    mv?: string[];
    note?: string;
    processSpec?: string;
    product?: string;
    recipe?: string;
    run?: string[];
    seed?: number;
    spec?: unknown;
    split?: string;
    to?: number;
  };
  'datasets.delete': {
    dryRun?: boolean;
    id: string;
  };
  'datasets.diff': {
    a: string;
    b: string;
  };
  'datasets.list': {
    cursor?: string;
    limit?: number;
  };
  'datasets.show': {
    id: string;
  };
  'datasets.stats': {
    id: string;
  };
  'datasets.verify': {
    id: string;
    sha256?: string;
  };
  'entities.list': Record<string, unknown>;
  'entities.prune': {
    dryRun?: boolean;
  };
  'entities.verify': Record<string, unknown>;
  'evaluations.list': {
    limit?: number;
    model?: string;
  };
  'evaluations.show': {
    id: string;
  };
  'experiments.list': {
    cursor?: string;
    limit?: number;
  };
  'experiments.rebuild': {
    id: string;
  };
  'experiments.report': {
    id: string;
  };
  'experiments.show': {
    id: string;
  };
  'import': {
    badValue?: string[];
    by?: string;
    columns?: string[];
    confirmContext?: boolean;
    decimal?: "point" | "comma";
    delimiter?: "comma" | "semicolon" | "tab" | "blank";
    doubledHour?: "refuse" | "first" | "second";
    dryRun?: boolean;
    evidence?: "unassessed" | "real" | "simulation";
    file?: unknown;
    gap?: number;
    keepIndex?: boolean;
    line?: string;
    maxRejects?: number;
    onDuplicate?: "last" | "first" | "mean" | "refuse";
    period?: number;
    product?: string;
    qualityCodes?: "ua" | "classic" | "flag";
    qualityColumn?: string[];
    recipe?: string;
    run?: string;
    runColumn?: string;
    start?: number;
    tagColumn?: string;
    thousands?: "comma" | "point" | "blank" | "apostrophe";
    timeColumn?: string;
    timeFormat?: string;
    timeZone?: string;
    unitColumn?: string;
    valueColumn?: string;
  };
  'imports.list': {
    limit?: number;
    line?: string;
  };
  'jobs.build': {
    beat?: number;
    cv?: string[];
    dryRun?: boolean;
    dv?: string[];
    format?: "series" | "windows" | "v1";
    from?: number;
    hampelK?: number;
    history?: number;
    horizon?: number;
    ignoreMarks?: boolean;
    integrating?: string[];
    line?: string;
    maxDropRatio?: number;
    mode?: string[];
    mv?: string[];
    note?: string;
    processSpec?: string;
    product?: string;
    recipe?: string;
    run?: string[];
    seed?: number;
    spec?: unknown;
    split?: string;
    to?: number;
  };
  'jobs.cancel': {
    id: string;
    reason?: string;
  };
  'jobs.delete': {
    dryRun?: boolean;
    id: string;
  };
  'jobs.list': {
    cursor?: string;
    kind?: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    limit?: number;
    line?: string;
    state?: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
  };
  'jobs.log': {
    id: string;
    lines?: number;
  };
  'jobs.reconcile': {
    deep?: boolean;
  };
  'jobs.retention': Record<string, unknown>;
  'jobs.retry': {
    id: string;
  };
  'jobs.show': {
    id: string;
  };
  'jobs.train': {
    dataset: string;
    note?: string;
    points?: "segments" | "runs" | "rows" | "marked";
    prior?: string[];
    seed?: number;
    setpoint?: string[];
    steadySteps?: number;
    steadyTolerance?: number;
    trainer?: "linear_arx@1" | "subspace@1" | "auto@1" | "polynomial_narx@1" | "static_response@1";
  };
  'lines.add': {
    description?: string;
    id: string;
  };
  'lines.delete': {
    dryRun?: boolean;
    id: string;
  };
  'lines.list': {
    cursor?: string;
    limit?: number;
  };
  'marks.add': {
    by?: string;
    from: number;
    kind: "bad" | "steady" | "batch";
    line?: string;
    reason?: string;
    tag?: string;
    to: number;
  };
  'marks.delete': {
    dryRun?: boolean;
    id: string;
  };
  'marks.list': {
    cursor?: string;
    from?: number;
    kind?: "bad" | "steady" | "batch";
    limit?: number;
    line?: string;
    tag?: string;
    to?: number;
  };
  'models.delete': {
    dryRun?: boolean;
    id: string;
  };
  'models.drift': {
    id: string;
  };
  'models.evaluate': {
    id: string;
    dataset: string;
  };
  'models.evidence': {
    id: string;
  };
  'models.find': {
    limit?: number;
    line?: string;
    product?: string;
    recipe?: string;
    stage?: "candidate" | "shadow" | "production" | "retired";
    text?: string;
  };
  'models.history': {
    id: string;
  };
  'models.list': {
    cursor?: string;
    limit?: number;
  };
  'models.predict': {
    id: string;
    columns?: string;
    decimal?: "point" | "comma";
    delimiter?: "comma" | "semicolon" | "tab" | "blank";
    file?: unknown;
    history?: Record<string, number[]>;
    period?: string;
    plan?: Record<string, number[]>;
    steps?: number;
  };
  'models.production': {
    at?: number;
    line?: string;
    product?: string;
    recipe?: string;
  };
  'models.promote': {
    id: string;
    reason?: string;
    waive?: string;
  };
  'models.replay': {
    id: string;
  };
  'models.show': {
    id: string;
  };
  'models.stage': {
    id: string;
    reason?: string;
    to: "shadow" | "retired";
  };
  'models.verify': {
    id: string;
  };
  'notices.list': {
    cursor?: string;
    limit?: number;
    unread?: boolean;
  };
  'notices.read': {
    job?: string[];
  };
  'optimizer.capabilities': Record<string, unknown>;
  'plans.create': {
    beat?: number;
    cv?: string[];
    disabled?: boolean;
    dv?: string[];
    history?: number;
    horizon?: number;
    integrating?: string[];
    line?: string;
    minIntervalSec?: number;
    minNewRows?: number;
    mode?: string[];
    mv?: string[];
    name: string;
    prior?: string[];
    processSpec?: string;
    product?: string;
    recipe?: string;
    seed?: number;
    setpoint?: string[];
    split?: string;
    strategy?: "auto" | "manual";
    trainer?: "linear_arx@1" | "subspace@1" | "auto@1" | "polynomial_narx@1" | "static_response@1";
  };
  'plans.delete': {
    dryRun?: boolean;
    id: string;
  };
  'plans.disable': {
    id: string;
  };
  'plans.enable': {
    id: string;
  };
  'plans.list': {
    line?: string;
  };
  'plans.show': {
    id: string;
  };
  'plans.train': {
    id: string;
  };
  'plans.trainings': {
    cursor?: string;
    id: string;
    limit?: number;
  };
  'plant.apply': {
    by?: string;
    dryRun?: boolean;
    file?: unknown;
    reason?: string;
  };
  'plant.show': {
    line: string;
  };
  'process-specs.activate': {
    name: string;
    line?: string;
    version?: number;
  };
  'process-specs.create': {
    file?: unknown;
    line?: string;
    name: string;
    spec?: {
      beatMs?: number;
      historySteps?: number;
      horizonSteps?: number;
      note?: string;
      priors?: string[];
      product?: string;
      recipe?: string;
      trainer?: string;
      variables: {
        atFlow?: number;
        delayMs?: number;
        flow?: string;
        integrating?: boolean;
        max?: number;
        min?: number;
        modes?: string[];
        role: "mv" | "cv" | "dv";
        setPoint?: string;
        tag: string;
        unit?: string;
      }[];
    };
  };
  'process-specs.list': {
    cursor?: string;
    limit?: number;
    line?: string;
  };
  'process-specs.retire': {
    name: string;
    line?: string;
    version?: number;
  };
  'process-specs.show': {
    line?: string;
    name: string;
    version?: number;
  };
  'products.add': {
    description?: string;
    id: string;
    line?: string;
  };
  'products.delete': {
    dryRun?: boolean;
    id: string;
    line?: string;
  };
  'products.list': {
    cursor?: string;
    limit?: number;
    line?: string;
  };
  'profiles.activate': {
    id: string;
    version?: number;
  };
  'profiles.create': {
    file?: unknown;
    profile?: {
      blocks?: number[];
      conditionId?: string;
      controlHorizon?: number;
      cv: {
        hardMax?: number;
        hardMin?: number;
        price?: number;
        rank?: number;
        ref?: number;
        role?: "track" | "min" | "max" | "band";
        softMax?: number;
        softMin?: number;
        softPenalty?: number;
        varId: string;
        weight?: number;
      }[];
      dv?: {
        source?: "hold" | "forecast";
        varId: string;
      }[];
      freshnessBeats?: number;
      horizon?: number;
      modelId: string;
      mv: {
        max?: number;
        maxMove: number;
        min?: number;
        minMove?: number;
        moveWeight?: number;
        price?: number;
        target?: number;
        targetWeight?: number;
        varId: string;
      }[];
      name: string;
      requireUq?: boolean;
      solver?: {
        brokenNow?: "comeBack" | "refuse";
        disturbance?: "output" | "input" | "model";
        disturbanceRatio?: number;
        eps?: number;
        maxIter?: number;
        minImprovement?: number;
        slack?: "perOutput" | "perStep";
        steadyState?: "automatic" | "on" | "off";
        timeLimitMs?: number;
      };
      template?: string;
      validitySec?: number;
    };
    versionOf?: string;
  };
  'profiles.list': {
    binding?: string;
    cursor?: string;
    limit?: number;
    line?: string;
  };
  'profiles.retire': {
    id: string;
    version?: number;
  };
  'profiles.show': {
    id: string;
    version?: number;
  };
  'recipes.add': {
    by?: string;
    description?: string;
    id: string;
    line?: string;
    param?: string[];
    product?: string;
    reason?: string;
  };
  'recipes.delete': {
    dryRun?: boolean;
    id: string;
    line?: string;
    product?: string;
  };
  'recipes.list': {
    cursor?: string;
    limit?: number;
    line?: string;
  };
  'recipes.set': {
    id: string;
    by?: string;
    description?: string;
    drop?: string[];
    line?: string;
    param?: string[];
    product?: string;
    reason?: string;
  };
  'recipes.show': {
    id: string;
    line?: string;
    product?: string;
  };
  'restore': {
    check?: boolean;
  };
  'retention.run': {
    dryRun?: boolean;
  };
  'runs.add': {
    end?: number;
    evidence?: "unassessed" | "real" | "simulation";
    id: string;
    line?: string;
    product?: string;
    recipe?: string;
    start: number;
  };
  'runs.delete': {
    dryRun?: boolean;
    id: string;
    line: string;
  };
  'runs.end': {
    id: string;
    end?: number;
    line?: string;
  };
  'runs.list': {
    cursor?: string;
    limit?: number;
    line?: string;
    product?: string;
    recipe?: string;
  };
  'runs.show': {
    id: string;
    line?: string;
  };
  'samples.aggregate': {
    bucket?: number;
    from?: number;
    line: string;
    product?: string;
    recipe?: string;
    run?: string;
    tag: string;
    to?: number;
  };
  'samples.list': {
    cursor?: string;
    from?: number;
    limit?: number;
    line: string;
    product?: string;
    recipe?: string;
    run?: string;
    tag: string;
    to?: number;
  };
  'samples.verify': Record<string, unknown>;
  'segments.confirm': {
    id: string;
    by?: string;
    reason?: string;
    recipeVersion?: number;
  };
  'segments.list': {
    cursor?: string;
    limit?: number;
    line?: string;
    run?: string;
    status?: "draft" | "confirmed" | "rejected";
  };
  'segments.reject': {
    id: string;
    by?: string;
    reason?: string;
  };
  'segments.show': {
    id: string;
  };
  'solves.list': {
    binding?: string;
    cursor?: string;
    limit?: number;
    line?: string;
  };
  'solves.show': {
    id: string;
  };
  'solves.try': {
    id: string;
    set?: string[];
  };
  'study.run': {
    badValue?: string[];
    beat?: number;
    columns?: string[];
    cv?: string[];
    decimal?: "point" | "comma";
    delimiter?: "comma" | "semicolon" | "tab" | "blank";
    doubledHour?: "refuse" | "first" | "second";
    dv?: string[];
    evidence?: "unassessed" | "real" | "simulation";
    file?: unknown;
    gap?: number;
    history?: number;
    horizon?: number;
    ignoreMarks?: boolean;
    integrating?: string[];
    keepIndex?: boolean;
    line?: string;
    loop?: string[];
    maxRejects?: number;
    mode?: string[];
    mv?: string[];
    onDuplicate?: "last" | "first" | "mean" | "refuse";
    period?: number;
    points?: "segments" | "runs" | "rows" | "marked";
    prior?: string[];
    processSpec?: string;
    product?: string;
    qualityCodes?: "ua" | "classic" | "flag";
    qualityColumn?: string[];
    recipe?: string;
    run?: string;
    runColumn?: string;
    seed?: number;
    setpoint?: string[];
    split?: string;
    start?: number;
    steadySteps?: number;
    steadyTolerance?: number;
    tagColumn?: string;
    thousands?: "comma" | "point" | "blank" | "apostrophe";
    timeColumn?: string;
    timeFormat?: string;
    timeZone?: string;
    trainer?: "linear_arx@1" | "subspace@1" | "auto@1" | "polynomial_narx@1" | "static_response@1";
    transportDelay?: string[];
    unitColumn?: string;
    valueColumn?: string;
  };
  'system': Record<string, unknown>;
  'tags.list': {
    cursor?: string;
    limit?: number;
    line?: string;
  };
  'tags.set': {
    name: string;
    clear?: string[];
    correctUnit?: boolean;
    description?: string;
    kind?: "number" | "digital";
    line?: string;
    max?: number;
    min?: number;
    modeTag?: string;
    resolution?: number;
    role?: "mv" | "cv" | "dv";
    shape?: "stepped" | "sloped";
    states?: string[];
    unit?: string;
  };
  'tags.show': {
    line?: string;
    name: string;
  };
  'tags.survey': {
    from?: number;
    line: string;
    product?: string;
    recipe?: string;
    run?: string;
    tag?: string[];
    to?: number;
  };
  'tests.plan': {
    beat?: number;
    cv: string[];
    model?: string;
    mv: string[];
    pair?: string[];
    precision?: number;
    seed?: number;
    steps?: number;
  };
  'tokens.create': {
    days?: number;
    line?: string[];
    name: string;
    scope: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
    user?: string;
  };
  'tokens.list': {
    user?: string;
  };
  'tokens.revoke': {
    id: string;
    reason?: string;
  };
  'users.add': {
    allLines?: "none" | "read" | "operate";
    displayName?: string;
    id: string;
    kind?: "person" | "agent" | "system";
    password?: string;
    right?: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
  };
  'users.disable': {
    id: string;
    reason?: string;
    undo?: boolean;
  };
  'users.grant': {
    id: string;
    level?: "none" | "read" | "operate";
    line?: string;
    reason?: string;
    remove?: boolean;
  };
  'users.list': {
    cursor?: string;
    limit?: number;
  };
  'users.set': {
    id: string;
    displayName?: string;
    noRight?: boolean;
    password?: string;
    reason?: string;
    right?: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
  };
  'version': Record<string, unknown>;
}

export interface Answers {
  'advice.accept': {
    appliedAt?: number;
    appliedBy: string;
    bindingId: string;
    candidateId: string;
    createdAt: number;
    decidedAt?: number;
    decidedBy: string;
    evidenceSource: "unassessed" | "real" | "simulation";
    expiredAt?: number;
    expiryCause?: "time" | "bindingChanged" | "recipeChanged" | "conditionChanged" | "permissionChanged" | "runChanged" | "modelRetired" | "modelMissing" | "profileRetired" | "superseded";
    id: string;
    lineId: string;
    modelArtifactHash: string;
    noChange: boolean;
    problemIrHash: string;
    reason: string;
    runId: string;
    status: "unverified" | "verified" | "accepted" | "rejected" | "applied" | "expired";
    statusLabel: string;
    unverifiedBecause: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    uqEvidence?: unknown;
    validUntil: number;
  };
  'advice.applied': {
    appliedAt?: number;
    appliedBy: string;
    bindingId: string;
    candidateId: string;
    createdAt: number;
    decidedAt?: number;
    decidedBy: string;
    evidenceSource: "unassessed" | "real" | "simulation";
    expiredAt?: number;
    expiryCause?: "time" | "bindingChanged" | "recipeChanged" | "conditionChanged" | "permissionChanged" | "runChanged" | "modelRetired" | "modelMissing" | "profileRetired" | "superseded";
    id: string;
    lineId: string;
    modelArtifactHash: string;
    noChange: boolean;
    problemIrHash: string;
    reason: string;
    runId: string;
    status: "unverified" | "verified" | "accepted" | "rejected" | "applied" | "expired";
    statusLabel: string;
    unverifiedBecause: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    uqEvidence?: unknown;
    validUntil: number;
  };
  'advice.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'advice.outcome': {
    appliedAt?: number;
    baselineFrom: number;
    createdAt: number;
    halfWidth: number;
    id: string;
    lossChange: number;
    observed: {
      after: number;
      before: number;
      delta: number;
      high: number;
      lossChange: number;
      low: number;
      predicted: number;
      samplesAfter: number;
      samplesBefore: number;
      varId: string;
    }[];
    predictedLossChange: number;
    reasons: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    recommendationId: string;
    settleFrom: number;
    settleTo: number;
    verdict: "improved" | "neutral" | "worse" | "inconclusive";
  };
  'advice.outcomes': {
    items: unknown[];
    nextCursor?: string;
  };
  'advice.plan': {
    beatSec: number;
    cvs: {
      hardMax?: number;
      hardMin?: number;
      high: number[];
      history: number[];
      hold: number[];
      low: number[];
      planned: number[];
      ref?: number;
      rest?: number;
      softMax?: number;
      softMin?: number;
      unit: string;
      varId: string;
    }[];
    earlier: {
      hardMax?: number;
      hardMin?: number;
      high: number[];
      history: number[];
      hold: number[];
      low: number[];
      planned: number[];
      ref?: number;
      rest?: number;
      softMax?: number;
      softMin?: number;
      unit: string;
      varId: string;
    }[];
    earlierSec: number;
    mvs: {
      hardMax?: number;
      hardMin?: number;
      high: number[];
      history: number[];
      hold: number[];
      low: number[];
      planned: number[];
      ref?: number;
      rest?: number;
      softMax?: number;
      softMin?: number;
      unit: string;
      varId: string;
    }[];
  };
  'advice.reject': {
    appliedAt?: number;
    appliedBy: string;
    bindingId: string;
    candidateId: string;
    createdAt: number;
    decidedAt?: number;
    decidedBy: string;
    evidenceSource: "unassessed" | "real" | "simulation";
    expiredAt?: number;
    expiryCause?: "time" | "bindingChanged" | "recipeChanged" | "conditionChanged" | "permissionChanged" | "runChanged" | "modelRetired" | "modelMissing" | "profileRetired" | "superseded";
    id: string;
    lineId: string;
    modelArtifactHash: string;
    noChange: boolean;
    problemIrHash: string;
    reason: string;
    runId: string;
    status: "unverified" | "verified" | "accepted" | "rejected" | "applied" | "expired";
    statusLabel: string;
    unverifiedBecause: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    uqEvidence?: unknown;
    validUntil: number;
  };
  'advice.show': {
    advice: boolean;
    atRest: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    bindingId: string;
    bindingLimits: string[];
    distances: {
      along?: number;
      limit: number;
      mahalanobisAlong?: number;
      mahalanobisLimit?: number;
      mahalanobisNow?: number;
      now?: number;
    };
    effects: {
      afterSec: number;
      from: number;
      high?: number;
      hold: number;
      low?: number;
      to: number;
      unit: string;
      varId: string;
    }[];
    infeasible: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    lines: string[];
    mind: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    moves: {
      from: number;
      rest: number;
      to: number;
      unit: string;
      varId: string;
    }[];
    noAdvice: {
      code: string;
      params?: unknown;
      text: string;
    };
    recommendation: {
      appliedAt?: number;
      appliedBy: string;
      bindingId: string;
      candidateId: string;
      createdAt: number;
      decidedAt?: number;
      decidedBy: string;
      evidenceSource: "unassessed" | "real" | "simulation";
      expiredAt?: number;
      expiryCause?: "time" | "bindingChanged" | "recipeChanged" | "conditionChanged" | "permissionChanged" | "runChanged" | "modelRetired" | "modelMissing" | "profileRetired" | "superseded";
      id: string;
      lineId: string;
      modelArtifactHash: string;
      noChange: boolean;
      problemIrHash: string;
      reason: string;
      runId: string;
      status: "unverified" | "verified" | "accepted" | "rejected" | "applied" | "expired";
      statusLabel: string;
      unverifiedBecause: {
        code: string;
        params?: unknown;
        text: string;
      }[];
      uqEvidence?: unknown;
      validUntil: number;
    };
    recommendationId: string;
    relaxed: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    rest: {
      unit: string;
      value: number;
      varId: string;
      wanted?: number;
    }[];
    runId: string;
    saving?: number;
    status?: "unverified" | "verified" | "accepted" | "rejected" | "applied" | "expired";
    statusLabel: string;
    validUntil?: number;
  };
  'approvals.approve': {
    comment: string;
    decidedAt?: number;
    decidedBy?: string;
    digest: string;
    expiresAt: number;
    id: string;
    kind: string;
    lineId: string;
    object: string;
    reason: string;
    requestedAt: number;
    requestedBy: string;
    status: "pending" | "approved" | "rejected" | "expired";
  };
  'approvals.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'approvals.reject': {
    comment: string;
    decidedAt?: number;
    decidedBy?: string;
    digest: string;
    expiresAt: number;
    id: string;
    kind: string;
    lineId: string;
    object: string;
    reason: string;
    requestedAt: number;
    requestedBy: string;
    status: "pending" | "approved" | "rejected" | "expired";
  };
  'approvals.show': {
    comment: string;
    decidedAt?: number;
    decidedBy?: string;
    digest: string;
    expiresAt: number;
    id: string;
    kind: string;
    lineId: string;
    object: string;
    reason: string;
    requestedAt: number;
    requestedBy: string;
    status: "pending" | "approved" | "rejected" | "expired";
  };
  'audit.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'audit.verify': {
    firstBroken?: number;
    head: {
      hash: string;
      number: number;
    };
    ok: boolean;
    problem: {
      code: string;
      params?: unknown;
      text: string;
    };
    rows: number;
  };
  'auth.explain': {
    allowed: boolean;
    explanation: string;
    grant?: "none" | "read" | "operate";
    needed?: "none" | "read" | "operate";
    operation: string;
    right: "view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin";
    rights: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
    rule: string;
    user: string;
  };
  'auth.password': {
    allLines: "none" | "read" | "operate";
    createdAt: number;
    disabled: boolean;
    displayName: string;
    id: string;
    kind: "person" | "agent" | "system";
    lines: Record<string, "none" | "read" | "operate">;
    rights: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
  };
  'backup': {
    at: number;
    bytes: number;
    datasets: number;
    files: number;
    folder: string;
    jobs: number;
    models: number;
    problems: string[];
    sha256: string;
  };
  'bindings.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'bindings.set': {
    currentRecipeVersion: number;
    disabledBecause: string;
    enabled: boolean;
    id: string;
    lineId: string;
    nodeMap: Record<string, string>;
    profileId: string;
    profileVersion: number;
    recipeContentHash: string;
    revision: number;
    updatedAt: number;
    updatedBy: string;
    warnings: {
      code: string;
      params?: unknown;
      text: string;
    }[];
  };
  'bindings.show': {
    currentRecipeVersion: number;
    disabledBecause: string;
    enabled: boolean;
    id: string;
    lineId: string;
    nodeMap: Record<string, string>;
    profileId: string;
    profileVersion: number;
    recipeContentHash: string;
    revision: number;
    updatedAt: number;
    updatedBy: string;
    warnings: {
      code: string;
      params?: unknown;
      text: string;
    }[];
  };
  'bindings.solve': {
    advice: boolean;
    atRest: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    bindingId: string;
    bindingLimits: string[];
    distances: {
      along?: number;
      limit: number;
      mahalanobisAlong?: number;
      mahalanobisLimit?: number;
      mahalanobisNow?: number;
      now?: number;
    };
    effects: {
      afterSec: number;
      from: number;
      high?: number;
      hold: number;
      low?: number;
      to: number;
      unit: string;
      varId: string;
    }[];
    infeasible: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    lines: string[];
    mind: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    moves: {
      from: number;
      rest: number;
      to: number;
      unit: string;
      varId: string;
    }[];
    noAdvice: {
      code: string;
      params?: unknown;
      text: string;
    };
    recommendation: {
      appliedAt?: number;
      appliedBy: string;
      bindingId: string;
      candidateId: string;
      createdAt: number;
      decidedAt?: number;
      decidedBy: string;
      evidenceSource: "unassessed" | "real" | "simulation";
      expiredAt?: number;
      expiryCause?: "time" | "bindingChanged" | "recipeChanged" | "conditionChanged" | "permissionChanged" | "runChanged" | "modelRetired" | "modelMissing" | "profileRetired" | "superseded";
      id: string;
      lineId: string;
      modelArtifactHash: string;
      noChange: boolean;
      problemIrHash: string;
      reason: string;
      runId: string;
      status: "unverified" | "verified" | "accepted" | "rejected" | "applied" | "expired";
      statusLabel: string;
      unverifiedBecause: {
        code: string;
        params?: unknown;
        text: string;
      }[];
      uqEvidence?: unknown;
      validUntil: number;
    };
    recommendationId: string;
    relaxed: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    rest: {
      unit: string;
      value: number;
      varId: string;
      wanted?: number;
    }[];
    runId: string;
    saving?: number;
    status?: "unverified" | "verified" | "accepted" | "rejected" | "applied" | "expired";
    statusLabel: string;
    validUntil?: number;
  };
  'config.set': {
    dataFolder: string;
    dataSource: string;
    settings: {
      default: number;
      doc: string;
      key: string;
      max: number;
      min: number;
      reason?: string;
      source: string;
      unit: string;
      value: number;
    }[];
    version: number;
  };
  'config.show': {
    dataFolder: string;
    dataSource: string;
    settings: {
      default: number;
      doc: string;
      key: string;
      max: number;
      min: number;
      reason?: string;
      source: string;
      unit: string;
      value: number;
    }[];
    version: number;
  };
  'datasets.build': {
    existed: boolean;
    folder: string;
    id: string;
    legacy: boolean;
    report?: unknown;
    rowCount: number;
    sha256: string;
    spec?: unknown;
    stored: boolean;
    windowCount: number;
  };
  'datasets.delete': {
    deleted: string[];
    dryRun: boolean;
  };
  'datasets.diff': {
    a: string;
    b: string;
    counts: {
      a?: unknown;
      at: string;
      b?: unknown;
    }[];
    files: {
      a: string;
      b: string;
      path: string;
    }[];
    lineage: {
      a?: unknown;
      at: string;
      b?: unknown;
    }[];
    norms: {
      a?: unknown;
      at: string;
      b?: unknown;
    }[];
    runs: {
      a?: unknown;
      at: string;
      b?: unknown;
    }[];
    runsOnlyA: string[];
    runsOnlyB: string[];
    same: boolean;
    spec: {
      a?: unknown;
      at: string;
      b?: unknown;
    }[];
  };
  'datasets.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'datasets.show': {
    dataset: {
      createdAt: number;
      id: string;
      lineId: string;
      productId: string;
      recipeId: string;
      rowCount: number;
      sha256: string;
      summary?: unknown;
    };
    processSpec?: string;
    report?: unknown;
    spec?: unknown;
  };
  'datasets.stats': {
    id: string;
    report: {
      cleaning: Record<string, {
        droppedMarked: number;
        droppedMode: number;
        droppedNotFinite: number;
        droppedQuality: number;
        droppedRange: number;
        droppedSpike: number;
        held: number;
        interpolated: number;
        keptSuspects: number;
        marked: number;
        missing: number;
        steps: number;
        total: number;
      }>;
      constantColumns: string[];
      nodeSummaries: {
        cleanedRatio: number;
        count: number;
        filledRatio: number;
        max: number;
        mean: number;
        min: number;
        missingRatio: number;
        nodeId: string;
        p05: number;
        p50: number;
        p95: number;
        role: "mv" | "cv" | "dv";
        std: number;
      }[];
      provenance: {
        availabilityWatermarkUs?: number;
        capturedAtUs?: number;
        conditionId: string;
        evidenceSource: string;
        recipeContentHash: string;
        recipeVersion?: number;
        runLineage: {
          excluded: {
            code: string;
            reason: string;
            runId: string;
          }[];
          unknown: string[];
          verified: string[];
        };
      };
      rowCount: number;
      rows: {
        test: number;
        train: number;
        val: number;
      };
      runCleaning: Record<string, Record<string, {
        droppedMarked: number;
        droppedMode: number;
        droppedNotFinite: number;
        droppedQuality: number;
        droppedRange: number;
        droppedSpike: number;
        held: number;
        interpolated: number;
        keptSuspects: number;
        marked: number;
        missing: number;
        steps: number;
        total: number;
      }>>;
      runShapes: {
        holes: number;
        longestHole: number;
        runId: string;
        segments: number;
        steps: number;
      }[];
      runsDropped: {
        code: string;
        reason: string;
        runId: string;
      }[];
      runsUsed: string[];
      timing: Record<string, {
        jitterMs: number;
        offsetMs: number;
        periodMs: number;
        runId: string;
      }>;
      transport: Record<string, {
        flow: string;
        least: number;
        mean: number;
        most: number;
        steps: number;
        unknown: number;
      }>;
      warnings: {
        code: string;
        params?: unknown;
        text: string;
      }[];
      windowCount: number;
      windows: {
        test: number;
        train: number;
        val: number;
      };
    };
    survey: {
      collinearity: {
        condition?: number;
        leastShare?: number;
        weights: {
          inflation: number;
          variable: string;
          weight: number;
        }[];
      };
      correlations: {
        matrix: number[][];
        strong: {
          first: string;
          r: number;
          second: string;
        }[];
        variables: string[];
      };
      cvs: {
        cv: string;
        mainInput: string;
        mayIntegrate: boolean;
        restoringT?: number;
        riseSteps?: number;
      }[];
      feedback: {
        computedFromCvs: boolean;
        cv: string;
        cvMove: number;
        direction: number;
        inLoop: boolean;
        mv: string;
        mvMove: number;
        notDirect: string[];
        pValue?: number;
        probability?: number;
        rests: boolean;
        sameStepPValue?: number;
        setPoint: string;
        varianceKept?: number;
      }[];
      pairs: {
        bound: number;
        deadTime: {
          active: boolean;
          byLags: boolean;
          byTest: boolean;
          cv: string;
          edge: boolean;
          feedThrough: boolean;
          found: boolean;
          high: number;
          input: string;
          low: number;
          pValue: number;
          steps: number;
          stepsAfter0: number;
          stepsWith0?: number;
        };
        lag: number;
        lagR: number;
        lead: number;
        leadR: number;
        rows: number;
        sameStepR: number;
      }[];
      proposals: {
        code: string;
        field: string;
        params?: unknown;
        tags: string[];
        text: string;
        value: string;
      }[];
      runs: {
        distance: number[];
        means: number[];
        reason: string;
        runId: string;
        steps: number;
        train: boolean;
        usableShare: number;
      }[];
      variables: {
        count: number;
        excitation: {
          constant: boolean;
          excited: boolean;
          input: string;
          leftOut: boolean;
          levels: number;
          moves: number;
          mv: boolean;
          persistenceOrder: number;
          reason: string;
        };
        holdSteps?: number;
        max: number;
        mean: number;
        min: number;
        role: "mv" | "cv" | "dv";
        std: number;
        variable: string;
      }[];
    };
  };
  'datasets.verify': {
    found: {
      bytes: number;
      compared: boolean;
      files: number;
      form: "series" | "windows" | "v1" | "v2";
      legacy: boolean;
      sha256: string;
      windows: number;
    };
    id: string;
    ok: boolean;
    problems: string[];
  };
  'entities.list': {
    datasets: number;
    issues: {
      entity: string;
      id: string;
      kind: "entity_missing" | "orphan_dir" | "contract_missing";
    }[];
    models: number;
    ok: boolean;
    root: string;
  };
  'entities.prune': {
    deleted: string[];
    dryRun: boolean;
  };
  'entities.verify': {
    auditRows: number;
    datasets: number;
    findings: {
      code: string;
      id: string;
      text: string;
      what: string;
    }[];
    models: number;
    ok: boolean;
  };
  'evaluations.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'evaluations.show': {
    by: string;
    coverage?: number;
    createdAt: number;
    datasetId: string;
    id: string;
    lineId: string;
    metrics?: unknown;
    modelId: string;
  };
  'experiments.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'experiments.rebuild': {
    attempt: number;
    attempts: {
      endedAt?: number;
      leaseUntil?: number;
      number: number;
      outcome: {
        code: string;
        datasetId?: string;
        experimentId?: string;
        failedGates: string[];
        modelId?: string;
        reason: string;
        succeeded: boolean;
      };
      owner: string;
      progress: {
        at: number;
        fraction: number;
        note: string;
        stage: string;
      };
      startedAt?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    }[];
    code: string;
    datasetId?: string;
    endedAt?: number;
    experimentId?: string;
    failedGates: string[];
    fraction: number;
    id: string;
    kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    lineId: string;
    modelId?: string;
    note: string;
    reason: string;
    request?: unknown;
    stage: string;
    startedAt?: number;
    state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    submittedAt: number;
    submittedBy: string;
    title: string;
  };
  'experiments.report': {
    pictures?: unknown;
    report?: unknown;
  };
  'experiments.show': {
    config?: unknown;
    createdAt: number;
    datasetId: string;
    gates?: unknown;
    id: string;
    metrics?: unknown;
    reason: string;
    seed: number;
    settingsVersion: number;
    status: "gates_passed" | "gates_failed" | "failed";
    trainer: string;
  };
  'import': {
    account: {
      conflicts: number;
      from?: string;
      merged: number;
      notes: {
        code: string;
        params?: unknown;
        text: string;
      }[];
      rejected: number;
      rejectedRows: {
        code: string;
        params?: unknown;
        text: string;
      }[];
      rowsIn: number;
      runs: string[];
      step?: number;
      stored: number;
      tags: {
        bad: number;
        good: number;
        kind: "number" | "digital";
        max?: number;
        min?: number;
        missing: number;
        reasons: {
          count: number;
          quality: string;
          text: string;
        }[];
        states: string[];
        tag: string;
        uncertain: number;
        unit: string;
      }[];
      to?: string;
    };
    created: string[];
    dryRun: boolean;
    line: string;
    plan: {
      account: {
        conflicts: number;
        from?: string;
        merged: number;
        notes: {
          code: string;
          params?: unknown;
          text: string;
        }[];
        rejected: number;
        rejectedRows: {
          code: string;
          params?: unknown;
          text: string;
        }[];
        rowsIn: number;
        runs: string[];
        step?: number;
        stored: number;
        tags: {
          bad: number;
          good: number;
          kind: "number" | "digital";
          max?: number;
          min?: number;
          missing: number;
          reasons: {
            count: number;
            quality: string;
            text: string;
          }[];
          states: string[];
          tag: string;
          uncertain: number;
          unit: string;
        }[];
        to?: string;
      };
      columns: {
        name: string;
        of?: string;
        role: "tag" | "time" | "run" | "tagName" | "unit" | "quality" | "index" | "unused";
        unit: string;
      }[];
      decimal: string;
      delimiter: string;
      firstRows: {
        run: string;
        time: string;
        values: Record<string, unknown>;
      }[];
      longTable: boolean;
      runs: {
        from: string;
        rows: number;
        run: string;
        to: string;
      }[];
    };
    rejects?: string;
    segments: string[];
    shadow: {
      modelId: string;
      predictions: number;
      problem: {
        code: string;
        params?: unknown;
        text: string;
      };
    }[];
  };
  'imports.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'jobs.build': {
    attempt: number;
    attempts: {
      endedAt?: number;
      leaseUntil?: number;
      number: number;
      outcome: {
        code: string;
        datasetId?: string;
        experimentId?: string;
        failedGates: string[];
        modelId?: string;
        reason: string;
        succeeded: boolean;
      };
      owner: string;
      progress: {
        at: number;
        fraction: number;
        note: string;
        stage: string;
      };
      startedAt?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    }[];
    code: string;
    datasetId?: string;
    endedAt?: number;
    experimentId?: string;
    failedGates: string[];
    fraction: number;
    id: string;
    kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    lineId: string;
    modelId?: string;
    note: string;
    reason: string;
    request?: unknown;
    stage: string;
    startedAt?: number;
    state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    submittedAt: number;
    submittedBy: string;
    title: string;
  };
  'jobs.cancel': {
    attempt: number;
    attempts: {
      endedAt?: number;
      leaseUntil?: number;
      number: number;
      outcome: {
        code: string;
        datasetId?: string;
        experimentId?: string;
        failedGates: string[];
        modelId?: string;
        reason: string;
        succeeded: boolean;
      };
      owner: string;
      progress: {
        at: number;
        fraction: number;
        note: string;
        stage: string;
      };
      startedAt?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    }[];
    code: string;
    datasetId?: string;
    endedAt?: number;
    experimentId?: string;
    failedGates: string[];
    fraction: number;
    id: string;
    kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    lineId: string;
    modelId?: string;
    note: string;
    reason: string;
    request?: unknown;
    stage: string;
    startedAt?: number;
    state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    submittedAt: number;
    submittedBy: string;
    title: string;
  };
  'jobs.delete': {
    deleted: string[];
    dryRun: boolean;
  };
  'jobs.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'jobs.log': {
    id: string;
    lines: string[];
  };
  'jobs.reconcile': {
    attempt: number;
    attempts: {
      endedAt?: number;
      leaseUntil?: number;
      number: number;
      outcome: {
        code: string;
        datasetId?: string;
        experimentId?: string;
        failedGates: string[];
        modelId?: string;
        reason: string;
        succeeded: boolean;
      };
      owner: string;
      progress: {
        at: number;
        fraction: number;
        note: string;
        stage: string;
      };
      startedAt?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    }[];
    code: string;
    datasetId?: string;
    endedAt?: number;
    experimentId?: string;
    failedGates: string[];
    fraction: number;
    id: string;
    kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    lineId: string;
    modelId?: string;
    note: string;
    reason: string;
    request?: unknown;
    stage: string;
    startedAt?: number;
    state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    submittedAt: number;
    submittedBy: string;
    title: string;
  };
  'jobs.retention': {
    attempt: number;
    attempts: {
      endedAt?: number;
      leaseUntil?: number;
      number: number;
      outcome: {
        code: string;
        datasetId?: string;
        experimentId?: string;
        failedGates: string[];
        modelId?: string;
        reason: string;
        succeeded: boolean;
      };
      owner: string;
      progress: {
        at: number;
        fraction: number;
        note: string;
        stage: string;
      };
      startedAt?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    }[];
    code: string;
    datasetId?: string;
    endedAt?: number;
    experimentId?: string;
    failedGates: string[];
    fraction: number;
    id: string;
    kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    lineId: string;
    modelId?: string;
    note: string;
    reason: string;
    request?: unknown;
    stage: string;
    startedAt?: number;
    state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    submittedAt: number;
    submittedBy: string;
    title: string;
  };
  'jobs.retry': {
    attempt: number;
    attempts: {
      endedAt?: number;
      leaseUntil?: number;
      number: number;
      outcome: {
        code: string;
        datasetId?: string;
        experimentId?: string;
        failedGates: string[];
        modelId?: string;
        reason: string;
        succeeded: boolean;
      };
      owner: string;
      progress: {
        at: number;
        fraction: number;
        note: string;
        stage: string;
      };
      startedAt?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    }[];
    code: string;
    datasetId?: string;
    endedAt?: number;
    experimentId?: string;
    failedGates: string[];
    fraction: number;
    id: string;
    kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    lineId: string;
    modelId?: string;
    note: string;
    reason: string;
    request?: unknown;
    stage: string;
    startedAt?: number;
    state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    submittedAt: number;
    submittedBy: string;
    title: string;
  };
  'jobs.show': {
    attempt: number;
    attempts: {
      endedAt?: number;
      leaseUntil?: number;
      number: number;
      outcome: {
        code: string;
        datasetId?: string;
        experimentId?: string;
        failedGates: string[];
        modelId?: string;
        reason: string;
        succeeded: boolean;
      };
      owner: string;
      progress: {
        at: number;
        fraction: number;
        note: string;
        stage: string;
      };
      startedAt?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    }[];
    code: string;
    datasetId?: string;
    endedAt?: number;
    experimentId?: string;
    failedGates: string[];
    fraction: number;
    id: string;
    kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    lineId: string;
    modelId?: string;
    note: string;
    reason: string;
    request?: unknown;
    stage: string;
    startedAt?: number;
    state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    submittedAt: number;
    submittedBy: string;
    title: string;
  };
  'jobs.train': {
    attempt: number;
    attempts: {
      endedAt?: number;
      leaseUntil?: number;
      number: number;
      outcome: {
        code: string;
        datasetId?: string;
        experimentId?: string;
        failedGates: string[];
        modelId?: string;
        reason: string;
        succeeded: boolean;
      };
      owner: string;
      progress: {
        at: number;
        fraction: number;
        note: string;
        stage: string;
      };
      startedAt?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    }[];
    code: string;
    datasetId?: string;
    endedAt?: number;
    experimentId?: string;
    failedGates: string[];
    fraction: number;
    id: string;
    kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    lineId: string;
    modelId?: string;
    note: string;
    reason: string;
    request?: unknown;
    stage: string;
    startedAt?: number;
    state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    submittedAt: number;
    submittedBy: string;
    title: string;
  };
  'lines.add': {
    description: string;
    id: string;
  };
  'lines.delete': {
    deleted: string[];
    dryRun: boolean;
  };
  'lines.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'marks.add': {
    at: number;
    by: string;
    from: number;
    id: string;
    kind: "bad" | "steady" | "batch";
    lineId: string;
    reason: string;
    tag: string;
    to: number;
  };
  'marks.delete': {
    deleted: string[];
    dryRun: boolean;
  };
  'marks.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'models.delete': {
    deleted: string[];
    dryRun: boolean;
  };
  'models.drift': {
    cvs: {
      cv: string;
      levelShift?: number;
      now?: number;
      ratio?: number;
      ratioLow?: number;
      test?: number;
    }[];
    farShare?: number;
    modelId: string;
    reasons: string[];
    runs: number;
    shadowPredictions: number;
    shadowRmse: number[];
    since?: number;
    verdict: "steady" | "drift" | "cannotTell";
    windows: number;
  };
  'models.evaluate': {
    attempt: number;
    attempts: {
      endedAt?: number;
      leaseUntil?: number;
      number: number;
      outcome: {
        code: string;
        datasetId?: string;
        experimentId?: string;
        failedGates: string[];
        modelId?: string;
        reason: string;
        succeeded: boolean;
      };
      owner: string;
      progress: {
        at: number;
        fraction: number;
        note: string;
        stage: string;
      };
      startedAt?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    }[];
    code: string;
    datasetId?: string;
    endedAt?: number;
    experimentId?: string;
    failedGates: string[];
    fraction: number;
    id: string;
    kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
    lineId: string;
    modelId?: string;
    note: string;
    reason: string;
    request?: unknown;
    stage: string;
    startedAt?: number;
    state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
    submittedAt: number;
    submittedBy: string;
    title: string;
  };
  'models.evidence': {
    coverage?: number;
    enough: boolean;
    missing: string[];
    modelId: string;
    predictions: number;
    regimes: number;
    replayed: number;
    rmse: number[];
    runs: number;
    span: number;
  };
  'models.find': {
    items: unknown[];
    nextCursor?: string;
  };
  'models.history': {
    id: string;
    moves: {
      approvalId?: string;
      at: number;
      by: string;
      from: "candidate" | "shadow" | "production" | "retired";
      modelId: string;
      reason: string;
      replacedBy?: string;
      to: "candidate" | "shadow" | "production" | "retired";
    }[];
    stage: "candidate" | "shadow" | "production" | "retired";
  };
  'models.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'models.predict': {
    artifactHash: string;
    beatMs: number;
    forecast: {
      cv: string;
      lower: number[];
      unit: string;
      upper: number[];
      values: number[];
    }[];
    inputDistance?: number;
    intervalNote: string;
    modelId: string;
    steps: number;
    warnings: string[];
  };
  'models.production': {
    artifactHash: string;
    artifactKind: string;
    createdAt: number;
    datasetId: string;
    experimentId: string;
    files: Record<string, string>;
    id: string;
    label: string;
    lineId: string;
    productId: string;
    recipeId: string;
    stage: "candidate" | "shadow" | "production" | "retired";
  };
  'models.promote': {
    comment: string;
    decidedAt?: number;
    decidedBy?: string;
    digest: string;
    expiresAt: number;
    id: string;
    kind: string;
    lineId: string;
    object: string;
    reason: string;
    requestedAt: number;
    requestedBy: string;
    status: "pending" | "approved" | "rejected" | "expired";
  };
  'models.replay': {
    coverage?: number;
    enough: boolean;
    missing: string[];
    modelId: string;
    predictions: number;
    regimes: number;
    replayed: number;
    rmse: number[];
    runs: number;
    span: number;
  };
  'models.show': {
    artifactHash: string;
    artifactKind: string;
    createdAt: number;
    datasetId: string;
    experimentId: string;
    files: Record<string, string>;
    id: string;
    label: string;
    lineId: string;
    productId: string;
    recipeId: string;
    stage: "candidate" | "shadow" | "production" | "retired";
  };
  'models.stage': {
    id: string;
    moves: {
      approvalId?: string;
      at: number;
      by: string;
      from: "candidate" | "shadow" | "production" | "retired";
      modelId: string;
      reason: string;
      replacedBy?: string;
      to: "candidate" | "shadow" | "production" | "retired";
    }[];
    stage: "candidate" | "shadow" | "production" | "retired";
  };
  'models.verify': {
    id: string;
    ok: boolean;
    problems: string[];
  };
  'notices.list': {
    items: {
      at: number;
      attempt: number;
      better?: number;
      code: string;
      datasetId?: string;
      experimentId?: string;
      failedGates: string[];
      jobId: string;
      kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
      lineId: string;
      modelId?: string;
      ok: boolean;
      oneStep?: number;
      read: boolean;
      reason: string;
      rollout?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
      title: string;
    }[];
    nextCursor?: string;
    unread: number;
  };
  'notices.read': {
    items: {
      at: number;
      attempt: number;
      better?: number;
      code: string;
      datasetId?: string;
      experimentId?: string;
      failedGates: string[];
      jobId: string;
      kind: "dataset_build" | "training" | "evaluation" | "report" | "retention" | "reconciliation";
      lineId: string;
      modelId?: string;
      ok: boolean;
      oneStep?: number;
      read: boolean;
      reason: string;
      rollout?: number;
      state: "queued" | "provisioning" | "training" | "evaluating" | "done" | "failed" | "cancelled" | "timeout" | "interrupted";
      title: string;
    }[];
    nextCursor?: string;
    unread: number;
  };
  'optimizer.capabilities': {
    templates: string[];
    workers: {
      busy: number;
      degraded: boolean;
      failures: number;
      memory: boolean;
      network: "open" | "filter" | "namespace";
      otherUser: boolean;
      processes: "none" | "user" | "cgroup";
      quarantined: number;
      ready: number;
      size: number;
      waiting: number;
    };
  };
  'plans.create': {
    createdAt: number;
    createdBy: string;
    datasetSpec?: unknown;
    enabled: boolean;
    id: string;
    lastCode: string;
    lastDatasetId?: string;
    lastError: string;
    lastFailedGates: string[];
    lastJobId?: string;
    lastModelId?: string;
    lastReason: string;
    lastRunCount: number;
    lastSpan: number;
    lastStatus: "idle" | "training" | "done" | "failed";
    lastTrainedAt?: number;
    lineId: string;
    minIntervalSec: number;
    minNewRows: number;
    name: string;
    newRows?: number;
    nextAt?: number;
    productId: string;
    recipeId: string;
    runsNow: number;
    seed: number;
    strategy: "auto" | "manual";
    trainingSpec?: unknown;
    trainings: {
      buildJobId: string;
      by: string;
      code: string;
      datasetId?: string;
      endedAt?: number;
      error: string;
      modelId?: string;
      planId: string;
      reason: string;
      startedAt: number;
      status: string;
      trainingJobId?: string;
    }[];
  };
  'plans.delete': {
    deleted: string[];
    dryRun: boolean;
  };
  'plans.disable': {
    createdAt: number;
    createdBy: string;
    datasetSpec?: unknown;
    enabled: boolean;
    id: string;
    lastCode: string;
    lastDatasetId?: string;
    lastError: string;
    lastFailedGates: string[];
    lastJobId?: string;
    lastModelId?: string;
    lastReason: string;
    lastRunCount: number;
    lastSpan: number;
    lastStatus: "idle" | "training" | "done" | "failed";
    lastTrainedAt?: number;
    lineId: string;
    minIntervalSec: number;
    minNewRows: number;
    name: string;
    newRows?: number;
    nextAt?: number;
    productId: string;
    recipeId: string;
    runsNow: number;
    seed: number;
    strategy: "auto" | "manual";
    trainingSpec?: unknown;
    trainings: {
      buildJobId: string;
      by: string;
      code: string;
      datasetId?: string;
      endedAt?: number;
      error: string;
      modelId?: string;
      planId: string;
      reason: string;
      startedAt: number;
      status: string;
      trainingJobId?: string;
    }[];
  };
  'plans.enable': {
    createdAt: number;
    createdBy: string;
    datasetSpec?: unknown;
    enabled: boolean;
    id: string;
    lastCode: string;
    lastDatasetId?: string;
    lastError: string;
    lastFailedGates: string[];
    lastJobId?: string;
    lastModelId?: string;
    lastReason: string;
    lastRunCount: number;
    lastSpan: number;
    lastStatus: "idle" | "training" | "done" | "failed";
    lastTrainedAt?: number;
    lineId: string;
    minIntervalSec: number;
    minNewRows: number;
    name: string;
    newRows?: number;
    nextAt?: number;
    productId: string;
    recipeId: string;
    runsNow: number;
    seed: number;
    strategy: "auto" | "manual";
    trainingSpec?: unknown;
    trainings: {
      buildJobId: string;
      by: string;
      code: string;
      datasetId?: string;
      endedAt?: number;
      error: string;
      modelId?: string;
      planId: string;
      reason: string;
      startedAt: number;
      status: string;
      trainingJobId?: string;
    }[];
  };
  'plans.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'plans.show': {
    createdAt: number;
    createdBy: string;
    datasetSpec?: unknown;
    enabled: boolean;
    id: string;
    lastCode: string;
    lastDatasetId?: string;
    lastError: string;
    lastFailedGates: string[];
    lastJobId?: string;
    lastModelId?: string;
    lastReason: string;
    lastRunCount: number;
    lastSpan: number;
    lastStatus: "idle" | "training" | "done" | "failed";
    lastTrainedAt?: number;
    lineId: string;
    minIntervalSec: number;
    minNewRows: number;
    name: string;
    newRows?: number;
    nextAt?: number;
    productId: string;
    recipeId: string;
    runsNow: number;
    seed: number;
    strategy: "auto" | "manual";
    trainingSpec?: unknown;
    trainings: {
      buildJobId: string;
      by: string;
      code: string;
      datasetId?: string;
      endedAt?: number;
      error: string;
      modelId?: string;
      planId: string;
      reason: string;
      startedAt: number;
      status: string;
      trainingJobId?: string;
    }[];
  };
  'plans.train': {
    createdAt: number;
    createdBy: string;
    datasetSpec?: unknown;
    enabled: boolean;
    id: string;
    lastCode: string;
    lastDatasetId?: string;
    lastError: string;
    lastFailedGates: string[];
    lastJobId?: string;
    lastModelId?: string;
    lastReason: string;
    lastRunCount: number;
    lastSpan: number;
    lastStatus: "idle" | "training" | "done" | "failed";
    lastTrainedAt?: number;
    lineId: string;
    minIntervalSec: number;
    minNewRows: number;
    name: string;
    newRows?: number;
    nextAt?: number;
    productId: string;
    recipeId: string;
    runsNow: number;
    seed: number;
    strategy: "auto" | "manual";
    trainingSpec?: unknown;
    trainings: {
      buildJobId: string;
      by: string;
      code: string;
      datasetId?: string;
      endedAt?: number;
      error: string;
      modelId?: string;
      planId: string;
      reason: string;
      startedAt: number;
      status: string;
      trainingJobId?: string;
    }[];
  };
  'plans.trainings': {
    items: unknown[];
    nextCursor?: string;
  };
  'plant.apply': {
    changed: number;
    changes: {
      change: "created" | "changed" | "unchanged";
      name: string;
      what: string;
    }[];
    created: number;
    dryRun: boolean;
    line: string;
    notes: string[];
    unchanged: number;
  };
  'plant.show': {
    line?: unknown;
    products: unknown[];
    recipes: unknown[];
    runs: unknown[];
    schemaVersion: number;
    segments: unknown[];
    tags: unknown[];
  };
  'process-specs.activate': {
    activatedAt?: number;
    activatedBy: string;
    content: {
      beatMs?: number;
      historySteps?: number;
      horizonSteps?: number;
      note: string;
      priors: string[];
      product: string;
      recipe: string;
      trainer?: string;
      variables: {
        atFlow?: number;
        delayMs?: number;
        flow?: string;
        integrating: boolean;
        max?: number;
        min?: number;
        modes: string[];
        role: "mv" | "cv" | "dv";
        setPoint?: string;
        tag: string;
        unit?: string;
      }[];
    };
    createdAt: number;
    createdBy: string;
    lineId: string;
    name: string;
    ref: string;
    retiredAt?: number;
    retiredBy: string;
    status: "draft" | "active" | "retired";
    version: number;
    versions: {
      activatedAt?: number;
      activatedBy: string;
      content: {
        beatMs?: number;
        historySteps?: number;
        horizonSteps?: number;
        note: string;
        priors: string[];
        product: string;
        recipe: string;
        trainer?: string;
        variables: {
          atFlow?: number;
          delayMs?: number;
          flow?: string;
          integrating: boolean;
          max?: number;
          min?: number;
          modes: string[];
          role: "mv" | "cv" | "dv";
          setPoint?: string;
          tag: string;
          unit?: string;
        }[];
      };
      createdAt: number;
      createdBy: string;
      lineId: string;
      name: string;
      ref: string;
      retiredAt?: number;
      retiredBy: string;
      status: "draft" | "active" | "retired";
      version: number;
    }[];
  };
  'process-specs.create': {
    activatedAt?: number;
    activatedBy: string;
    content: {
      beatMs?: number;
      historySteps?: number;
      horizonSteps?: number;
      note: string;
      priors: string[];
      product: string;
      recipe: string;
      trainer?: string;
      variables: {
        atFlow?: number;
        delayMs?: number;
        flow?: string;
        integrating: boolean;
        max?: number;
        min?: number;
        modes: string[];
        role: "mv" | "cv" | "dv";
        setPoint?: string;
        tag: string;
        unit?: string;
      }[];
    };
    createdAt: number;
    createdBy: string;
    lineId: string;
    name: string;
    ref: string;
    retiredAt?: number;
    retiredBy: string;
    status: "draft" | "active" | "retired";
    version: number;
    versions: {
      activatedAt?: number;
      activatedBy: string;
      content: {
        beatMs?: number;
        historySteps?: number;
        horizonSteps?: number;
        note: string;
        priors: string[];
        product: string;
        recipe: string;
        trainer?: string;
        variables: {
          atFlow?: number;
          delayMs?: number;
          flow?: string;
          integrating: boolean;
          max?: number;
          min?: number;
          modes: string[];
          role: "mv" | "cv" | "dv";
          setPoint?: string;
          tag: string;
          unit?: string;
        }[];
      };
      createdAt: number;
      createdBy: string;
      lineId: string;
      name: string;
      ref: string;
      retiredAt?: number;
      retiredBy: string;
      status: "draft" | "active" | "retired";
      version: number;
    }[];
  };
  'process-specs.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'process-specs.retire': {
    activatedAt?: number;
    activatedBy: string;
    content: {
      beatMs?: number;
      historySteps?: number;
      horizonSteps?: number;
      note: string;
      priors: string[];
      product: string;
      recipe: string;
      trainer?: string;
      variables: {
        atFlow?: number;
        delayMs?: number;
        flow?: string;
        integrating: boolean;
        max?: number;
        min?: number;
        modes: string[];
        role: "mv" | "cv" | "dv";
        setPoint?: string;
        tag: string;
        unit?: string;
      }[];
    };
    createdAt: number;
    createdBy: string;
    lineId: string;
    name: string;
    ref: string;
    retiredAt?: number;
    retiredBy: string;
    status: "draft" | "active" | "retired";
    version: number;
    versions: {
      activatedAt?: number;
      activatedBy: string;
      content: {
        beatMs?: number;
        historySteps?: number;
        horizonSteps?: number;
        note: string;
        priors: string[];
        product: string;
        recipe: string;
        trainer?: string;
        variables: {
          atFlow?: number;
          delayMs?: number;
          flow?: string;
          integrating: boolean;
          max?: number;
          min?: number;
          modes: string[];
          role: "mv" | "cv" | "dv";
          setPoint?: string;
          tag: string;
          unit?: string;
        }[];
      };
      createdAt: number;
      createdBy: string;
      lineId: string;
      name: string;
      ref: string;
      retiredAt?: number;
      retiredBy: string;
      status: "draft" | "active" | "retired";
      version: number;
    }[];
  };
  'process-specs.show': {
    activatedAt?: number;
    activatedBy: string;
    content: {
      beatMs?: number;
      historySteps?: number;
      horizonSteps?: number;
      note: string;
      priors: string[];
      product: string;
      recipe: string;
      trainer?: string;
      variables: {
        atFlow?: number;
        delayMs?: number;
        flow?: string;
        integrating: boolean;
        max?: number;
        min?: number;
        modes: string[];
        role: "mv" | "cv" | "dv";
        setPoint?: string;
        tag: string;
        unit?: string;
      }[];
    };
    createdAt: number;
    createdBy: string;
    lineId: string;
    name: string;
    ref: string;
    retiredAt?: number;
    retiredBy: string;
    status: "draft" | "active" | "retired";
    version: number;
    versions: {
      activatedAt?: number;
      activatedBy: string;
      content: {
        beatMs?: number;
        historySteps?: number;
        horizonSteps?: number;
        note: string;
        priors: string[];
        product: string;
        recipe: string;
        trainer?: string;
        variables: {
          atFlow?: number;
          delayMs?: number;
          flow?: string;
          integrating: boolean;
          max?: number;
          min?: number;
          modes: string[];
          role: "mv" | "cv" | "dv";
          setPoint?: string;
          tag: string;
          unit?: string;
        }[];
      };
      createdAt: number;
      createdBy: string;
      lineId: string;
      name: string;
      ref: string;
      retiredAt?: number;
      retiredBy: string;
      status: "draft" | "active" | "retired";
      version: number;
    }[];
  };
  'products.add': {
    description: string;
    id: string;
    limits: Record<string, {
      max?: number;
      min?: number;
    }>;
    lineId: string;
  };
  'products.delete': {
    deleted: string[];
    dryRun: boolean;
  };
  'products.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'profiles.activate': {
    activatedAt?: number;
    activatedBy: string;
    content: {
      blocks: number[];
      conditionId: string;
      controlHorizon: number;
      cv: {
        hardMax?: number;
        hardMin?: number;
        price: number;
        rank: number;
        ref?: number;
        role: "track" | "min" | "max" | "band";
        softMax?: number;
        softMin?: number;
        softPenalty: number;
        varId: string;
        weight: number;
      }[];
      dv: {
        source: "hold" | "forecast";
        varId: string;
      }[];
      freshnessBeats: number;
      horizon: number;
      modelId: string;
      mv: {
        max?: number;
        maxMove: number;
        min?: number;
        minMove?: number;
        moveWeight: number;
        price: number;
        target?: number;
        targetWeight: number;
        varId: string;
      }[];
      name: string;
      requireUq: boolean;
      solver: {
        brokenNow: "comeBack" | "refuse";
        disturbance: "output" | "input" | "model";
        disturbanceRatio: number;
        eps: number;
        maxIter: number;
        minImprovement: number;
        slack: "perOutput" | "perStep";
        steadyState: "automatic" | "on" | "off";
        timeLimitMs: number;
      };
      template: string;
      validitySec: number;
    };
    createdAt: number;
    createdBy: string;
    id: string;
    lineId: string;
    modelArtifactHash: string;
    productId: string;
    recipeId: string;
    retiredAt?: number;
    retiredBy: string;
    status: "draft" | "active" | "retired";
    version: number;
  };
  'profiles.create': {
    activatedAt?: number;
    activatedBy: string;
    content: {
      blocks: number[];
      conditionId: string;
      controlHorizon: number;
      cv: {
        hardMax?: number;
        hardMin?: number;
        price: number;
        rank: number;
        ref?: number;
        role: "track" | "min" | "max" | "band";
        softMax?: number;
        softMin?: number;
        softPenalty: number;
        varId: string;
        weight: number;
      }[];
      dv: {
        source: "hold" | "forecast";
        varId: string;
      }[];
      freshnessBeats: number;
      horizon: number;
      modelId: string;
      mv: {
        max?: number;
        maxMove: number;
        min?: number;
        minMove?: number;
        moveWeight: number;
        price: number;
        target?: number;
        targetWeight: number;
        varId: string;
      }[];
      name: string;
      requireUq: boolean;
      solver: {
        brokenNow: "comeBack" | "refuse";
        disturbance: "output" | "input" | "model";
        disturbanceRatio: number;
        eps: number;
        maxIter: number;
        minImprovement: number;
        slack: "perOutput" | "perStep";
        steadyState: "automatic" | "on" | "off";
        timeLimitMs: number;
      };
      template: string;
      validitySec: number;
    };
    createdAt: number;
    createdBy: string;
    id: string;
    lineId: string;
    modelArtifactHash: string;
    productId: string;
    recipeId: string;
    retiredAt?: number;
    retiredBy: string;
    status: "draft" | "active" | "retired";
    version: number;
  };
  'profiles.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'profiles.retire': {
    activatedAt?: number;
    activatedBy: string;
    content: {
      blocks: number[];
      conditionId: string;
      controlHorizon: number;
      cv: {
        hardMax?: number;
        hardMin?: number;
        price: number;
        rank: number;
        ref?: number;
        role: "track" | "min" | "max" | "band";
        softMax?: number;
        softMin?: number;
        softPenalty: number;
        varId: string;
        weight: number;
      }[];
      dv: {
        source: "hold" | "forecast";
        varId: string;
      }[];
      freshnessBeats: number;
      horizon: number;
      modelId: string;
      mv: {
        max?: number;
        maxMove: number;
        min?: number;
        minMove?: number;
        moveWeight: number;
        price: number;
        target?: number;
        targetWeight: number;
        varId: string;
      }[];
      name: string;
      requireUq: boolean;
      solver: {
        brokenNow: "comeBack" | "refuse";
        disturbance: "output" | "input" | "model";
        disturbanceRatio: number;
        eps: number;
        maxIter: number;
        minImprovement: number;
        slack: "perOutput" | "perStep";
        steadyState: "automatic" | "on" | "off";
        timeLimitMs: number;
      };
      template: string;
      validitySec: number;
    };
    createdAt: number;
    createdBy: string;
    id: string;
    lineId: string;
    modelArtifactHash: string;
    productId: string;
    recipeId: string;
    retiredAt?: number;
    retiredBy: string;
    status: "draft" | "active" | "retired";
    version: number;
  };
  'profiles.show': {
    activatedAt?: number;
    activatedBy: string;
    content: {
      blocks: number[];
      conditionId: string;
      controlHorizon: number;
      cv: {
        hardMax?: number;
        hardMin?: number;
        price: number;
        rank: number;
        ref?: number;
        role: "track" | "min" | "max" | "band";
        softMax?: number;
        softMin?: number;
        softPenalty: number;
        varId: string;
        weight: number;
      }[];
      dv: {
        source: "hold" | "forecast";
        varId: string;
      }[];
      freshnessBeats: number;
      horizon: number;
      modelId: string;
      mv: {
        max?: number;
        maxMove: number;
        min?: number;
        minMove?: number;
        moveWeight: number;
        price: number;
        target?: number;
        targetWeight: number;
        varId: string;
      }[];
      name: string;
      requireUq: boolean;
      solver: {
        brokenNow: "comeBack" | "refuse";
        disturbance: "output" | "input" | "model";
        disturbanceRatio: number;
        eps: number;
        maxIter: number;
        minImprovement: number;
        slack: "perOutput" | "perStep";
        steadyState: "automatic" | "on" | "off";
        timeLimitMs: number;
      };
      template: string;
      validitySec: number;
    };
    createdAt: number;
    createdBy: string;
    id: string;
    lineId: string;
    modelArtifactHash: string;
    productId: string;
    recipeId: string;
    retiredAt?: number;
    retiredBy: string;
    status: "draft" | "active" | "retired";
    version: number;
  };
  'recipes.add': {
    contentHash: string;
    description: string;
    id: string;
    lineId: string;
    params: {
      max?: number;
      min?: number;
      tag: string;
      value: number;
    }[];
    productId: string;
    version: number;
  };
  'recipes.delete': {
    deleted: string[];
    dryRun: boolean;
  };
  'recipes.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'recipes.set': {
    contentHash: string;
    description: string;
    id: string;
    lineId: string;
    params: {
      max?: number;
      min?: number;
      tag: string;
      value: number;
    }[];
    productId: string;
    version: number;
  };
  'recipes.show': {
    recipe: {
      contentHash: string;
      description: string;
      id: string;
      lineId: string;
      params: {
        max?: number;
        min?: number;
        tag: string;
        value: number;
      }[];
      productId: string;
      version: number;
    };
    versions: {
      by: string;
      contentHash: string;
      createdAt: number;
      params: {
        max?: number;
        min?: number;
        tag: string;
        value: number;
      }[];
      reason: string;
      version: number;
    }[];
  };
  'restore': {
    at: number;
    bytes: number;
    datasets: number;
    files: number;
    findings: {
      code: string;
      id: string;
      text: string;
      what: string;
    }[];
    folder: string;
    models: number;
    ok: boolean;
    product: string;
    restoredTo: string;
    sha256: string;
  };
  'retention.run': {
    bytes: number;
    dryRun: boolean;
    removed: {
      bytes: number;
      id: string;
      lineId: string;
      rule: string;
      since: number;
      what: string;
    }[];
  };
  'runs.add': {
    run: {
      endedAt?: number;
      evidence: "unassessed" | "real" | "simulation";
      id: string;
      lineId: string;
      productId: string;
      recipeId: string;
      startedAt: number;
    };
    segments: {
      conditionId: string;
      confirmedAt?: number;
      confirmedBy?: string;
      evidenceSource: "unassessed" | "real" | "simulation";
      from: number;
      lineId: string;
      productId: string;
      reason: string;
      recipeContentHash: string;
      recipeId: string;
      recipeVersion: number;
      rejectedAt?: number;
      rejectedBy?: string;
      runId: string;
      segmentId: string;
      status: "draft" | "confirmed" | "rejected";
      to: number;
    }[];
  };
  'runs.delete': {
    deleted: string[];
    dryRun: boolean;
  };
  'runs.end': {
    run: {
      endedAt?: number;
      evidence: "unassessed" | "real" | "simulation";
      id: string;
      lineId: string;
      productId: string;
      recipeId: string;
      startedAt: number;
    };
    segments: {
      conditionId: string;
      confirmedAt?: number;
      confirmedBy?: string;
      evidenceSource: "unassessed" | "real" | "simulation";
      from: number;
      lineId: string;
      productId: string;
      reason: string;
      recipeContentHash: string;
      recipeId: string;
      recipeVersion: number;
      rejectedAt?: number;
      rejectedBy?: string;
      runId: string;
      segmentId: string;
      status: "draft" | "confirmed" | "rejected";
      to: number;
    }[];
  };
  'runs.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'runs.show': {
    run: {
      endedAt?: number;
      evidence: "unassessed" | "real" | "simulation";
      id: string;
      lineId: string;
      productId: string;
      recipeId: string;
      startedAt: number;
    };
    segments: {
      conditionId: string;
      confirmedAt?: number;
      confirmedBy?: string;
      evidenceSource: "unassessed" | "real" | "simulation";
      from: number;
      lineId: string;
      productId: string;
      reason: string;
      recipeContentHash: string;
      recipeId: string;
      recipeVersion: number;
      rejectedAt?: number;
      rejectedBy?: string;
      runId: string;
      segmentId: string;
      status: "draft" | "confirmed" | "rejected";
      to: number;
    }[];
  };
  'samples.aggregate': {
    items: {
      count: number;
      from: string;
      goodShare: number;
      max?: number;
      mean?: number;
      min?: number;
    }[];
    stepped: boolean;
    tag: string;
    unit: string;
  };
  'samples.list': {
    items: {
      quality: string;
      state: string;
      time: string;
      value?: number;
    }[];
    nextCursor?: string;
    tag: string;
    unit: string;
  };
  'samples.verify': {
    id: string;
    ok: boolean;
    problems: string[];
  };
  'segments.confirm': {
    conditionId: string;
    confirmedAt?: number;
    confirmedBy?: string;
    evidenceSource: "unassessed" | "real" | "simulation";
    from: number;
    lineId: string;
    productId: string;
    reason: string;
    recipeContentHash: string;
    recipeId: string;
    recipeVersion: number;
    rejectedAt?: number;
    rejectedBy?: string;
    runId: string;
    segmentId: string;
    status: "draft" | "confirmed" | "rejected";
    to: number;
  };
  'segments.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'segments.reject': {
    conditionId: string;
    confirmedAt?: number;
    confirmedBy?: string;
    evidenceSource: "unassessed" | "real" | "simulation";
    from: number;
    lineId: string;
    productId: string;
    reason: string;
    recipeContentHash: string;
    recipeId: string;
    recipeVersion: number;
    rejectedAt?: number;
    rejectedBy?: string;
    runId: string;
    segmentId: string;
    status: "draft" | "confirmed" | "rejected";
    to: number;
  };
  'segments.show': {
    decisions: {
      at: number;
      by: string;
      decision: "draft" | "confirmed" | "rejected";
      reason: string;
      recipeVersion: number;
    }[];
    segment: {
      conditionId: string;
      confirmedAt?: number;
      confirmedBy?: string;
      evidenceSource: "unassessed" | "real" | "simulation";
      from: number;
      lineId: string;
      productId: string;
      reason: string;
      recipeContentHash: string;
      recipeId: string;
      recipeVersion: number;
      rejectedAt?: number;
      rejectedBy?: string;
      runId: string;
      segmentId: string;
      status: "draft" | "confirmed" | "rejected";
      to: number;
    };
  };
  'solves.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'solves.show': {
    candidates: {
      candidate: {
        constraints: {
          firstViolationStep?: number;
          id: string;
          kind: "hard" | "soft";
          margin: number;
          passed: boolean;
        }[];
        controls: number[][];
        cost: number;
        feasible: boolean;
        label: string;
        predicted: number[][];
        seq: number;
      };
      id: string;
      modelId: string;
      runId: string;
      verified: boolean;
      verifyReport: {
        cost: number;
        costSolver: number;
        distances: {
          along?: number;
          limit: number;
          mahalanobisAlong?: number;
          mahalanobisLimit?: number;
          mahalanobisNow?: number;
          now?: number;
        };
        failures: {
          code: string;
          params?: unknown;
          text: string;
        }[];
        improvement: number;
        largestDifference: number;
        verified: boolean;
      };
    }[];
    run: {
      bindingId: string;
      bindingRevision: number;
      code: string;
      contextSnapshot?: unknown;
      finishedAt?: number;
      id: string;
      independentCost?: number;
      lineId: string;
      problemIr?: unknown;
      problemIrHash: string;
      profileId: string;
      profileVersion: number;
      reason: string;
      result?: unknown;
      startedAt: number;
      status: "running" | "optimal" | "feasible" | "infeasible" | "timeout" | "error" | "noChange" | "refused";
    };
  };
  'solves.try': {
    code: string;
    cost?: number;
    plan: {
      beatSec: number;
      cvs: {
        hardMax?: number;
        hardMin?: number;
        high: number[];
        history: number[];
        hold: number[];
        low: number[];
        planned: number[];
        ref?: number;
        rest?: number;
        softMax?: number;
        softMin?: number;
        unit: string;
        varId: string;
      }[];
      earlier: {
        hardMax?: number;
        hardMin?: number;
        high: number[];
        history: number[];
        hold: number[];
        low: number[];
        planned: number[];
        ref?: number;
        rest?: number;
        softMax?: number;
        softMin?: number;
        unit: string;
        varId: string;
      }[];
      earlierSec: number;
      mvs: {
        hardMax?: number;
        hardMin?: number;
        high: number[];
        history: number[];
        hold: number[];
        low: number[];
        planned: number[];
        ref?: number;
        rest?: number;
        softMax?: number;
        softMin?: number;
        unit: string;
        varId: string;
      }[];
    };
    reason: string;
    status: "running" | "optimal" | "feasible" | "infeasible" | "timeout" | "error" | "noChange" | "refused";
    tookMs: number;
  };
  'study.run': {
    cleaning?: unknown;
    dataset: {
      id: string;
      rowCount: number;
      runsDropped: {
        reason: string;
        run: string;
      }[];
      runsUsed: string[];
      sha256: string;
    };
    deadTimes: {
      cv: string;
      high?: number;
      low?: number;
      mv: string;
      note: string;
      steps?: number;
    }[];
    evaluation?: unknown;
    freeRunFit: {
      block: "train" | "val" | "test";
      cv: string;
      percent?: number;
      pieces: number;
      ratio?: number;
      ratioStdError?: number;
      rows: number;
      rowsLeftOut: number;
    }[];
    gates: {
      checks: {
        detail: string;
        id: string;
        name: string;
        pass: boolean;
        perCv: {
          cv: string;
          pass: boolean;
          reference?: number;
          threshold?: number;
          value?: number;
        }[];
        reasons: {
          code: string;
          params?: unknown;
          text: string;
        }[];
        source: string;
        threshold?: number;
        value?: number;
      }[];
      loosened: Record<string, string>;
      passed: boolean;
      policy: string;
      reasons: {
        code: string;
        params?: unknown;
        text: string;
      }[];
      settingsVersion: number;
      thresholds: {
        maxExcursion: number;
        minFit: number;
        minRows: number;
        minRuns: number;
        noiseMargin: number;
        nrmse: number;
        rolloutImprovement: number;
        rolloutNrmse: number;
        valFloor: number;
        valTestGap: number;
      };
    };
    identification?: unknown;
    import: {
      merged: number;
      rejected: number;
      rowsIn: number;
      stored: number;
      tags: {
        bad: number;
        good: number;
        max?: number;
        min?: number;
        missing: number;
        tag: string;
        uncertain: number;
        unit: string;
      }[];
    };
    model: {
      artifactHash: string;
      artifactKind: string;
      id?: string;
    };
    nextSteps: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    notes: {
      code: string;
      params?: unknown;
      text: string;
    }[];
    provenance?: unknown;
    schemaVersion: number;
    uq?: unknown;
    uqReason?: string;
    verdict: string;
  };
  'system': {
    dataFolder: string;
    dataSource: string;
    disk: {
      freeBytes: number;
      low: boolean;
      neededBytes: number;
      sizeBytes: number;
    };
    parts: {
      bytes: number;
      files: number;
      name: string;
    }[];
    version: string;
  };
  'tags.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'tags.set': {
    newestAt?: number;
    nodeId: string;
    notes: string[];
    tag: {
      description: string;
      kind: "number" | "digital";
      lineId: string;
      max?: number;
      min?: number;
      modeTag?: string;
      name: string;
      resolution?: number;
      role?: "mv" | "cv" | "dv";
      states: string[];
      stepped?: boolean;
      unit: string;
    };
  };
  'tags.show': {
    newestAt?: number;
    nodeId: string;
    notes: string[];
    tag: {
      description: string;
      kind: "number" | "digital";
      lineId: string;
      max?: number;
      min?: number;
      modeTag?: string;
      name: string;
      resolution?: number;
      role?: "mv" | "cv" | "dv";
      states: string[];
      stepped?: boolean;
      unit: string;
    };
  };
  'tags.survey': {
    proposals: {
      code: string;
      field: string;
      params?: unknown;
      tags: string[];
      text: string;
      value: string;
    }[];
    tags: {
      atLimit: {
        from: number;
        runId: string;
        samples: number;
        to: number;
        value?: number;
      }[];
      badValues: {
        count: number;
        distance: number;
        nearest: number;
        value: number;
      }[];
      frozen: {
        from: number;
        runId: string;
        samples: number;
        to: number;
        value?: number;
      }[];
      frozenCount: number;
      frozenSamples: number;
      outsideRange: number;
      samples: {
        bad: number;
        badByReason: Record<string, number>;
        good: number;
        notFinite: number;
        total: number;
        uncertain: number;
      };
      sampling: {
        clockSlip: number;
        covered: number;
        gaps: number;
        jitter: number;
        longestGap: {
          from: number;
          runId: string;
          samples: number;
          to: number;
          value?: number;
        };
        phase: number;
        phaseAgreement: number;
        regular: boolean;
        runs: number;
        step?: number;
      };
      shape: {
        changes: number;
        holdSteps?: number;
        longestStay: number;
        looksStepped: boolean;
        medianChange: number;
        medianStay: number;
        reversalShare: number;
        smallestChange: number;
        unchangedShare: number;
      };
      spikes: number;
      straight: {
        lines: number;
        medianSteps: number;
        share: number;
      };
      tag: string;
      unit: string;
      unitJump: {
        at: number;
        edges: number;
        fitted: number;
        offset: number;
        samples: number;
        scale: number;
        units: string;
      };
      values: {
        constant: boolean;
        count: number;
        distinct: number;
        max?: number;
        mean?: number;
        min?: number;
        p05?: number;
        p50?: number;
        p95?: number;
        quantum: number;
        std?: number;
      };
    }[];
  };
  'tests.plan': {
    answers: {
      cv: string;
      high: number;
      highest: number;
      low: number;
      lowest: number;
      worst: number;
    }[];
    correlation: number;
    csv?: string;
    duration: number;
    file: string;
    gains: {
      cv: string;
      gain: number;
      mv: string;
      relative: number;
      stdError: number;
    }[];
    moves: {
      amplitude: number;
      moves: number;
      mv: string;
      now: number;
    }[];
    note: string;
    precisionReached: boolean;
    settlingSteps: number;
    steps: number;
    switchSteps: number;
  };
  'tokens.create': {
    text: string;
    token: {
      createdAt: number;
      expiresAt: number;
      id: string;
      lastUsedAt?: number;
      lines: string[];
      name: string;
      revokedAt?: number;
      scopes: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
      userId: string;
    };
  };
  'tokens.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'tokens.revoke': {
    createdAt: number;
    expiresAt: number;
    id: string;
    lastUsedAt?: number;
    lines: string[];
    name: string;
    revokedAt?: number;
    scopes: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
    userId: string;
  };
  'users.add': {
    allLines: "none" | "read" | "operate";
    createdAt: number;
    disabled: boolean;
    displayName: string;
    id: string;
    kind: "person" | "agent" | "system";
    lines: Record<string, "none" | "read" | "operate">;
    rights: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
  };
  'users.disable': {
    allLines: "none" | "read" | "operate";
    createdAt: number;
    disabled: boolean;
    displayName: string;
    id: string;
    kind: "person" | "agent" | "system";
    lines: Record<string, "none" | "read" | "operate">;
    rights: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
  };
  'users.grant': {
    allLines: "none" | "read" | "operate";
    createdAt: number;
    disabled: boolean;
    displayName: string;
    id: string;
    kind: "person" | "agent" | "system";
    lines: Record<string, "none" | "read" | "operate">;
    rights: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
  };
  'users.list': {
    items: unknown[];
    nextCursor?: string;
  };
  'users.set': {
    allLines: "none" | "read" | "operate";
    createdAt: number;
    disabled: boolean;
    displayName: string;
    id: string;
    kind: "person" | "agent" | "system";
    lines: Record<string, "none" | "read" | "operate">;
    rights: ("view" | "train" | "evaluate" | "request" | "approve" | "operate" | "admin")[];
  };
  'version': {
    compiler: string;
    version: string;
  };
}
