import type { Text } from '@linewarden/equipment'

export const reportFormats = ['xlsx', 'csv', 'pdf'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** A report that goes out by itself. Its area makes it; when, and to whom, is one and the same of all. */
export interface ReportKindData {
  readonly name: Text
  /** The page that shows the same: who may not open it has no such report. */
  readonly page: string
  readonly formats: readonly ReportFormat[]
  /** What is asked for beside a project: one gateway of it or none, lines and points, or nothing. */
  readonly of: 'gateway' | 'lines' | 'project'
}

/** A report that an area has. */
/* @__NO_SIDE_EFFECTS__ */
export const reportKind = <const P extends string>(
  zh: string,
  en: string,
  {
    page,
    formats,
    of = 'gateway',
  }: { readonly page: P; readonly formats: readonly ReportFormat[]; readonly of?: ReportKindData['of'] },
) => ({ name: { zh, en }, page, formats, of }) as const satisfies ReportKindData
