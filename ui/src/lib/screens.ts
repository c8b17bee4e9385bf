// The screens, in the order of the menu. What somebody has no right for is not shown to them.
import type { Component } from 'svelte';
import type { Operation } from './api-types.ts';
import type { Key } from '../texts/en/index.ts';

type Load = () => Promise<{ default: Component }>;

export interface Screen {
  name: string;
  text: Key;
  load: Load;
  needs?: Operation;
}

export const groups: { text: Key; screens: Screen[] }[] = [
  {
    text: 'menu.plant',
    screens: [
      { name: 'lines', text: 'menu.lines', load: () => import('../screens/Lines.svelte') },
      { name: 'trends', text: 'menu.trends', load: () => import('../screens/Trends.svelte') },
      { name: 'runs', text: 'menu.runs', load: () => import('../screens/Runs.svelte') },
      { name: 'specs', text: 'menu.specs', load: () => import('../screens/Specs.svelte') },
      { name: 'recipes', text: 'menu.recipes', load: () => import('../screens/Recipes.svelte') },
      { name: 'segments', text: 'menu.segments', load: () => import('../screens/Segments.svelte') },
    ],
  },
  {
    text: 'menu.data',
    screens: [
      { name: 'import', text: 'menu.import', load: () => import('../screens/Import.svelte'), needs: 'import' },
      { name: 'datasets', text: 'menu.datasets', load: () => import('../screens/Datasets.svelte') },
      { name: 'build', text: 'menu.build', load: () => import('../screens/Build.svelte'), needs: 'datasets.build' },
    ],
  },
  {
    text: 'menu.models',
    screens: [
      { name: 'train', text: 'menu.train', load: () => import('../screens/Train.svelte'), needs: 'datasets.build' },
      { name: 'plans', text: 'menu.plans', load: () => import('../screens/Plans.svelte') },
      { name: 'jobs', text: 'menu.jobs', load: () => import('../screens/Jobs.svelte') },
      { name: 'experiments', text: 'menu.experiments', load: () => import('../screens/Experiments.svelte') },
      { name: 'models', text: 'menu.registry', load: () => import('../screens/Models.svelte') },
      { name: 'predict', text: 'menu.predict', load: () => import('../screens/Predict.svelte') },
    ],
  },
  {
    text: 'menu.adviceGroup',
    screens: [
      { name: 'advice', text: 'menu.advice', load: () => import('../screens/Advice.svelte') },
      { name: 'profiles', text: 'menu.profiles', load: () => import('../screens/Profiles.svelte') },
    ],
  },
  {
    text: 'menu.govern',
    screens: [
      { name: 'requests', text: 'menu.requests', load: () => import('../screens/Requests.svelte') },
      { name: 'users', text: 'menu.users', load: () => import('../screens/Users.svelte'), needs: 'config.set' },
      { name: 'tokens', text: 'menu.tokens', load: () => import('../screens/Tokens.svelte') },
      { name: 'audit', text: 'menu.audit', load: () => import('../screens/Audit.svelte'), needs: 'config.set' },
    ],
  },
  {
    text: 'menu.system',
    screens: [
      { name: 'settings', text: 'menu.settings', load: () => import('../screens/Settings.svelte') },
      { name: 'environment', text: 'menu.environment', load: () => import('../screens/Environment.svelte') },
    ],
  },
];

/** Not in the menu: reached from others. */
const apart: Screen[] = [
  { name: 'notices', text: 'menu.notices', load: () => import('../screens/Notices.svelte') },
  { name: 'evaluations', text: 'menu.evaluations', load: () => import('../screens/EvaluationPage.svelte') },
];

export const screens = [...groups.flatMap((group) => group.screens), ...apart];
