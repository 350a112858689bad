import type { ReportFormat, ReportKind, ReportScope } from '@linewarden/contract'
import type { CivilPeriod } from '@linewarden/rules/energy'
import type { ReportPeriod } from '@linewarden/rules/report'
import type { Actor } from '../access/actor.ts'
import type { PlantProject } from '../plant/plant.ts'
import type { DownloadFile } from './downloads.ts'

/** A report that is to be made. */
export interface ReportAsked {
  readonly project: PlantProject
  readonly unit: ReportPeriod
  readonly period: CivilPeriod
  /** The same as instants, Unix ms; `to` not included. */
  readonly from: number
  readonly to: number
  readonly scope: ReportScope
  readonly format: ReportFormat
  readonly language: 'CN' | 'EN'
  readonly now: number
}

/** A report: what stands in the mail, and its file. */
export interface ReportMade {
  readonly figures: readonly { readonly label: string; readonly value: string }[]
  /** Rows that stand in the mail itself; the file has all of them. */
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | null
  readonly file: DownloadFile
}

/**
 * What an area says of a report that its manifest declares. It shows the actor no more than their pages do: the rights are those of whoever set it
 * up, as they are when it is made.
 */
export interface ReportSource {
  /** Throws Refusal where the actor does not see all that is asked for, or it is no such report. */
  check(actor: Actor, project: PlantProject, scope: ReportScope): Promise<void> | void
  /** For which share of its time there are data; null: nothing of it can come late. */
  known(actor: Actor, asked: ReportAsked): Promise<number | null>
  make(actor: Actor, asked: ReportAsked): Promise<ReportMade>
}

/** The reports of all areas; each brings its own as it is built. */
export class ReportSources {
  readonly #sources = new Map<ReportKind, ReportSource>()

  register(sources: Readonly<Partial<Record<ReportKind, ReportSource>>>): void {
    for (const [kind, source] of Object.entries(sources)) this.#sources.set(kind as ReportKind, source)
  }

  of(kind: ReportKind): ReportSource {
    const source = this.#sources.get(kind)
    if (!source) throw new Error(`no area makes the report ${kind}`)
    return source
  }
}
