import type { Core } from '../server-area.ts'

export type HealthDeps = Pick<Core, 'database' | 'plant' | 'runner' | 'downloads' | 'clock' | 'log'>
