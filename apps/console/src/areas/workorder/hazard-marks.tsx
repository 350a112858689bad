import type { Priority } from '@linewarden/equipment'
import type { HazardSource } from '@linewarden/rules/hazard'
import { useTranslation } from 'react-i18next'
import type { MarkKind } from '../../ui/mark.tsx'
import { priorityBars } from './order-words.ts'
import './order-marks.css'

/** As what showed a hazard first it is drawn. */
export const sourceMarks: Readonly<Record<HazardSource, MarkKind>> = {
  ...{ alarm: 'alarm', finding: 'warning', selfTest: 'fault', patrol: 'warning', exam: 'warning', person: 'warning' },
}

/** Four bars of ink and a word, as the priority of an order. */
export function HazardLevel({ level }: { level: Priority }) {
  const { t } = useTranslation('hazards')
  return (
    <span className={level === 'critical' ? 'order-priority top' : 'order-priority'}>
      {[1, 2, 3, 4].map((bar) => (
        <i key={bar} className={bar <= priorityBars[level] ? 'on' : undefined} aria-hidden="true" />
      ))}
      <span>{t(`levels.${level}`)}</span>
    </span>
  )
}
