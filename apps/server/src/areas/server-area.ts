import type { Area, Exposure, Manifest } from '@linewarden/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { TakenLimit } from '../access/taken-limit.ts'
import type { AuditCopy } from '../audit/copy.ts'
import type { SubjectSource, SubjectSources } from '../audit/names.ts'
import type { RefusedAttempts } from '../audit/refused-attempts.ts'
import type { Config } from '../config.ts'
import type { Ingest } from '../field/ingest.ts'
import type { Serve } from '../http/context.ts'
import type { Downloads } from '../http/downloads.ts'
import type { Tickets } from '../http/live/tickets.ts'
import type { ReportSource, ReportSources } from '../http/report-source.ts'
import type { Job } from '../jobs/jobs.ts'
import type { Runner } from '../jobs/runner.ts'
import type { Photos } from '../photos/photos.ts'
import type { Hub } from '../plant/hub.ts'
import type { Plant } from '../plant/plant.ts'
import type { Database } from '../store/core/database.ts'
import type { LeaseClock } from '../store/jobs/due-work.ts'
import type { Peppers } from './account/secrets.ts'

/** What stands before the first area is built. */
export interface Core {
  readonly config: Config
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Ingest
  readonly peppers: Peppers
  readonly refused: RefusedAttempts
  readonly auditCopy: AuditCopy
  readonly exposures: () => Exposure[]
  readonly subjects: SubjectSources
  readonly tickets: Tickets
  readonly downloads: Downloads
  /** What areas make that goes out by itself; complete when every area stands. */
  readonly reports: ReportSources
  readonly takenLimit: TakenLimit
  readonly photos: Photos
  /** Started when every area stands, so that each has its kinds of work registered. */
  readonly runner: Runner
  readonly clock: () => number
  /** By which it is told whether something is due: all servers of a database share it. */
  readonly dueClock: LeaseClock
  readonly log: Logger
}

/** What runs beside the calls once the server listens. */
export interface Background {
  /** Resolves when there is nothing left to do, or it was told to stop. */
  readonly done: Promise<unknown>
  close(): Promise<void>
}

type Needs = Readonly<Record<string, ServerArea>>
type ServicesOf<N extends Needs> = { readonly [K in keyof N]: N[K] extends ServerArea<infer S> ? S : never }
type SubjectDeps = Pick<Core, 'database' | 'plant'>
type SubjectsOf<M extends Manifest> = M['names'] extends { readonly subjects: infer T }
  ? { readonly [K in keyof T]: SubjectSource }
  : Readonly<Record<string, never>>

interface Part<N extends Needs, S> {
  /** Areas whose services it asks: they are built before it, and closed after it. */
  readonly needs?: N
  create(core: Core, needs: ServicesOf<N>): S | Promise<S>
  /** Answers every call of the manifest. */
  routes(serve: Serve, service: S, core: Core): void
  /** What is no call of the contract: a browser goes there, or another platform pushes there. */
  publicRoutes?(app: FastifyInstance, service: S): void
  background?(core: Core): Background
  readonly jobs?: readonly Job[]
  close?(service: S): Promise<void>
}

/** Where the manifest declares reports, the area makes them. */
type Reports<M extends Manifest, S> = M extends { readonly reports: infer R }
  ? { reports(service: S, core: Core): { readonly [K in keyof R]: ReportSource } }
  : { reports?: never }

/** One area of the server; of its service the shell knows nothing. */
export interface ServerArea<S = unknown, A extends Area = Area> extends Omit<Part<Needs, S>, 'needs' | 'create'> {
  readonly manifest: Manifest & { readonly name: A }
  readonly needs: Needs
  create(core: Core, needs: Readonly<Record<string, unknown>>): S | Promise<S>
  subjects(deps: SubjectDeps): Readonly<Record<string, SubjectSource>>
  reports(service: S, core: Core): Readonly<Record<string, ReportSource>>
}

/** Where the manifest names subjects of the audit trail, the area says what they are called and whose they are. */
type Subjects<M extends Manifest> = M['names'] extends { readonly subjects: object }
  ? { subjects(deps: SubjectDeps): SubjectsOf<M> }
  : { subjects?: never }

/** Declares what the server has of an area. */
export const serverArea = <M extends Manifest, S, const N extends Needs = Readonly<Record<never, never>>>(
  manifest: M,
  part: Part<N, S> & Subjects<M> & Reports<M, S>,
): ServerArea<S, M['name']> =>
  ({ needs: {}, subjects: () => ({}), reports: () => ({}), ...part, manifest }) as ServerArea<S, M['name']>
