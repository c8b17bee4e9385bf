export function generate(openapi: unknown): string;
