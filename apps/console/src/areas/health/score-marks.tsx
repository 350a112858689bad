import type { HealthBand } from '@linewarden/rules/health'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/mark.tsx'
import './score-marks.css'

const markOf = { dangerous: 'alarm', poor: 'warning' } as const

/** Only poor and dangerous have a colour; without a score the mark of what is not known. */
export function BandMark({ band }: { band: HealthBand | null }) {
  const { t } = useTranslation('healthCheck')
  if (band === null)
    return (
      <span className="band-mark none">
        <Mark kind="off" size={12} />
        {t('noScore')}
      </span>
    )
  return (
    <span className={`band-mark ${band}`}>
      {(band === 'dangerous' || band === 'poor') && <Mark kind={markOf[band]} size={12} />}
      {t(`bands.${band}`)}
    </span>
  )
}

/** How far a score reaches, with a mark at 60. */
export function ScoreBar({ score }: { score: number | null }) {
  return (
    <span className={score === null ? 'score-bar hatch' : 'score-bar'} aria-hidden="true">
      {score !== null && <i style={{ width: `${score}%` }} />}
    </span>
  )
}
