import { reports as alarm } from '../areas/alarm/reports.ts'
import { reports as energy } from '../areas/energy/reports.ts'
import { reports as hazard } from '../areas/hazard/reports.ts'
import { reports as health } from '../areas/health/reports.ts'
import { reports as report } from '../areas/report/reports.ts'
import { reports as warning } from '../areas/warning/reports.ts'
import { reports as workorder } from '../areas/workorder/reports.ts'
import { foldOf } from '../terms/fold.ts'
import type { ReportKindData } from '../terms/report-kind.ts'

const declared = foldOf(energy, report, alarm, warning, hazard, workorder, health)

/** A report that can go out by itself. */
export type ReportKind = keyof typeof declared

/** All of them, by their keys. */
export const reportKinds: Readonly<Record<ReportKind, ReportKindData>> = declared
export const reportKindKeys = Object.keys(declared) as [ReportKind, ...ReportKind[]]
