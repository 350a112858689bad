import type { queryOrderRules, Reply } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import type { OrderType } from '@linewarden/rules/workorder'

/** What a rule's form holds. */
export interface RuleValues {
  readonly Name: string
  readonly Enabled: boolean
  readonly Keys: readonly string[]
  readonly Priorities: readonly Priority[]
  readonly AfterMin: string
  readonly Type: OrderType
  readonly Priority: string
  /** Who gets its orders: nobody yet, one person, or people in turn. */
  readonly Who: 'nobody' | 'one' | 'rota'
  readonly PersonID: string
  readonly People: readonly string[]
  readonly EveryDays: string
  readonly FromDay: string
  readonly ValidDays: string
  readonly ReminderDays: string
  readonly WorkingDaysOnly: boolean
}

/** Kinds of alarms there are. */
export type Alarms = Reply<typeof queryOrderRules>['about']['Alarms']
