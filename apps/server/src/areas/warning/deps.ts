import type { Core } from '../server-area.ts'

export type WarningDeps = Pick<Core, 'database' | 'plant' | 'hub' | 'clock' | 'log' | 'downloads'>
