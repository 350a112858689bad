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
  /** Calls that prepare the same as a file at once: whatever leaves as a file can also go out by itself. */
  readonly sends: readonly string[]
}

/** A report that an area has. */
/* @__NO_SIDE_EFFECTS__ */
export const reportKind = <const P extends string>(
  zh: string,
  en: string,
  {
    page,
    formats,
    sends,
    of = 'gateway',
  }: Pick<ReportKindData, 'formats' | 'sends'> & { readonly page: P; readonly of?: ReportKindData['of'] },
) => ({ name: { zh, en }, page, formats, of, sends }) as const satisfies ReportKindData
