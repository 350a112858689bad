import type { Priority } from '@linewarden/equipment'
import type {
  AnswerResult,
  Arrival,
  ChecklistItem,
  CountedFrom,
  CycleUnit,
  PhotoDemand,
  RoundBreak,
  RoundKind,
  RoundProgress,
  RoundState,
  SignatureDemand,
  StopProgress,
} from '@linewarden/rules/inspection'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `inspection` as Kysely sees them. */
export interface InspectionTables {
  inspection_plan: PlanTable
  inspection_round: RoundTable
  inspection_arrival: ArrivalTable
  inspection_answer: AnswerTable
  inspection_stop_progress: { round_id: string; stop_id: number; progress: Json<StopProgress> }
  inspection_sheet: SheetTable
  inspection_line: LineTable
  inspection_code: CodeTable
  inspection_number: { owner: string; month: string; last: number }
}

/** A stop of a plan. Its name is that of when it was saved, for when the thing is gone. */
export interface StoredStop {
  readonly kind: 'gateway' | 'device' | 'place'
  readonly gatewayId: number | null
  readonly deviceId: number | null
  readonly controllerId: string | null
  readonly place: string | null
  readonly name: string
}

/** A stop of a round, frozen when it was started. */
export interface FrozenStop extends StoredStop {
  readonly stopId: number
  readonly gatewayName: string | null
  readonly model: string | null
  readonly list: string
}

/** An item that a plan adds, and to which list. */
export type StoredOwnItem = ChecklistItem & { readonly list: string }

/** Somebody as a plan or a round names them. */
export interface AssignedPerson {
  readonly id: string
  readonly name: string
}

/** A signature as it was drawn. */
export interface StoredSignature {
  readonly Strokes: number[][]
}

type OptionalJson<T> = ColumnType<T | null, string | null, string | null>

interface AskedColumns {
  kind: RoundKind
  signature: SignatureDemand
  photo_on: PhotoDemand
  four_eyes: boolean
}

interface PlanTable extends AskedColumns {
  plan_id: GeneratedAlways<number>
  project_id: number
  name: string
  stops: Json<readonly StoredStop[]>
  left_out: Json<readonly string[]>
  own_items: Json<readonly StoredOwnItem[]>
  cycle_every: number
  cycle_unit: CycleUnit
  counts_from: CountedFrom
  first_due: number
  before_days: number
  after_days: number
  assignees: Json<readonly AssignedPerson[]>
  enabled: boolean
  made_up_to: number | null
  next_due: number | null
  next_at: Date | null
  version: Generated<number>
  created_at: Date
  removed_at: Date | null
}

/** What an online round came to, by what was checked. */
export interface StoredRoundResult {
  readonly lines: number
  readonly ok: number
  readonly defects: number
  readonly unknown: number
  readonly checks: readonly { readonly check: string; readonly ok: number; readonly defects: number; readonly unknown: number }[]
  readonly hash: string
}

interface RoundTable extends AskedColumns {
  round_id: string
  number: string
  plan_id: number | null
  project_id: number
  project_name: string
  name: string
  time_zone: string
  state: RoundState
  due_day: number | null
  from_day: number | null
  to_day: number | null
  lapses_at: Date | null
  assignees: Json<readonly AssignedPerson[]>
  inspector_id: string | null
  inspector_name: Generated<string>
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  approver_id: string | null
  approver_name: Generated<string>
  decided_at: Date | null
  reason: Generated<string>
  broke_off: RoundBreak | null
  stops: ColumnType<readonly FrozenStop[], string | undefined, string>
  lists: ColumnType<Readonly<Record<string, readonly ChecklistItem[]>>, string | undefined, string>
  progress: OptionalJson<RoundProgress>
  inspector_signature: OptionalJson<StoredSignature>
  approver_signature: OptionalJson<StoredSignature>
  lines: Generated<number>
  done: Generated<number>
  result: OptionalJson<StoredRoundResult>
  version: Generated<number>
}

interface ArrivalTable {
  arrival_id: GeneratedAlways<string>
  round_id: string
  project_id: number
  stop_id: number
  phone_id: string
  person_id: string | null
  person_name: string
  how: Arrival
  reason: string
  phone_at: Date
  server_at: Date
  offset_ms: ColumnType<string, number, never>
}

interface AnswerTable {
  answer_id: GeneratedAlways<string>
  round_id: string
  project_id: number
  stop_id: number
  item_id: string
  rev: number
  content_hash: string
  result: AnswerResult
  value: number | null
  choice: string | null
  note: string
  level: Priority | null
  photos: Json<readonly string[]>
  phone_at: Date
  server_at: Date
  offset_ms: ColumnType<string, number, never>
  phone_id: string
  person_id: string | null
  person_name: string
  hazard_id: number | null
  at_place: string
  comes_to: AnswerResult
  after: Json<readonly string[]>
  replaced: Generated<boolean>
}

interface SheetTable {
  round_id: string
  revision: number
  project_id: number
  number: string
  sheet: string
  hash: string
  signed_at: Date
  approver_name: string | null
  approved_at: Date | null
  approver_signature: OptionalJson<StoredSignature>
  approval_hash: string | null
}

/** What a check found on a line. */
export interface StoredFinding {
  readonly check: string
  readonly grade: 'defect' | 'unknown'
  readonly text: { readonly zh: string; readonly en: string }
}

interface LineTable {
  round_id: string
  line_id: number
  project_id: number
  line_name: string
  gateway_name: string
  grade: 'ok' | 'defect' | 'unknown'
  found: Json<{
    readonly controllerId: string
    readonly lineNo: number
    readonly gatewayId: number
    readonly findings: readonly StoredFinding[]
  }>
}

interface CodeTable {
  code: string
  project_id: number
  gateway_id: number | null
  device_id: number | null
  place: string | null
  issued_at: Date
  dead_at: Date | null
}
