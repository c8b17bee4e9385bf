import type { Key } from '../en/index.ts';
import { advice } from './advice.ts';
import { common } from './common.ts';
import { data } from './data.ts';
import { govern } from './govern.ts';
import { models } from './models.ts';
import { plans } from './plans.ts';
import { plant } from './plant.ts';
import { specs } from './specs.ts';

export const zh: Record<Key, string> = { ...advice, ...common, ...data, ...govern, ...models, ...plans, ...plant, ...specs };
