import type { TFunction } from 'i18next'
import type { LineCondition } from './line-condition.ts'
import { isSwitchState, kindOfCondition } from './line-condition.ts'

/** The word for how a line stands. */
export function conditionText(condition: LineCondition, t: TFunction<['monitor', 'app']>): string {
  const kind = kindOfCondition(condition)
  if (kind) return t(`inState.${kind}`)
  return isSwitchState(condition) ? t(condition) : t('normal')
}
