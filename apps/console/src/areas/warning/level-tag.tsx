import type { WarningLevel } from '@linewarden/rules/warning'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/mark.tsx'
import './level-tag.css'

/** How much a finding presses: a triangle on red, a disc on amber, or an amber edge alone, so that many notices do not shout. */
export function LevelTag({ level }: { level: WarningLevel }) {
  const { t } = useTranslation('warning')
  return (
    <span className={`level-tag ${level}`}>
      <Mark kind={level === 'alarm' ? 'alarm' : 'warning'} size={12} />
      {t(`levels.${level}`)}
    </span>
  )
}
