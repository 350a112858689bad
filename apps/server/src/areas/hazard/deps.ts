import type { Core } from '../server-area.ts'

export type HazardDeps = Pick<Core, 'database' | 'plant' | 'hub' | 'clock' | 'log'>
