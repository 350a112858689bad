import type { InspectionRound } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'

/** How far a round has come: stops on site, lines online. */
export function ProgressBar({ round }: { round: InspectionRound }) {
  const { t } = useTranslation('inspection')
  const [done, of, key] =
    round.Kind === 'online'
      ? ([round.Done, round.Lines, 'lineProgress'] as const)
      : ([round.StopsDone, round.Stops, 'stopProgress'] as const)
  return (
    <span className="round-progress">
      <span className="track" aria-hidden="true">
        <i style={{ width: `${of === 0 ? 0 : Math.round((done / of) * 100)}%` }} />
      </span>
      {t(key, { done, of })}
    </span>
  )
}
