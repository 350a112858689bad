import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/mark.tsx'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import type { LineCondition } from './line-condition.ts'

/** Symbol and word of how a line stands; `plate` for the drawer's head. */
export function StateWord({ condition, plate = false }: { condition: LineCondition; plate?: boolean }) {
  const { t } = useTranslation('monitor')
  return (
    <span className={`state ${condition} ${plate ? 'plate' : ''}`}>
      {condition === 'alarmState' ? <Mark kind="alarm" /> : condition === 'normal' ? null : <SwitchSymbol state={condition} />}
      {t(condition)}
    </span>
  )
}
