import type { Text } from '@linewarden/equipment'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { localised } from '../ui/i18n.ts'
import { Mark } from '../ui/mark.tsx'
import { SwitchSymbol } from '../ui/switch-symbol.tsx'
import { conditionText } from './condition-text.ts'
import type { LineCondition } from './line-condition.ts'
import { isSwitchState, kindOfCondition } from './line-condition.ts'

/** Symbol and word of how a line stands; `plate` for the drawer's head. It moves seldom, the row around it with every value. */
export const StateWord = memo(function StateWord({
  condition,
  plate = false,
  switched = true,
  word,
}: {
  condition: LineCondition
  plate?: boolean
  /** A detector has no blade that could be drawn. */
  switched?: boolean
  /** Instead of the condition's own word. */
  word?: Text | null
}) {
  const { t } = useTranslation(['monitor', 'app'])
  return (
    <span className={`state ${condition} ${plate ? 'plate' : ''}`}>
      <Sign condition={condition} switched={switched} />
      {word ? localised(word) : conditionText(condition, t)}
    </span>
  )
})

function Sign({ condition, switched }: { condition: LineCondition; switched: boolean }) {
  const kind = kindOfCondition(condition)
  if (kind) return <Mark kind={kind} />
  if (!isSwitchState(condition)) return null
  if (switched) return <SwitchSymbol state={condition} />
  return <Mark kind={condition === 'offline' ? 'off' : condition === 'tripped' ? 'alarm' : 'fault'} />
}
