import { maxHistoryPoints } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Place } from '../../ui/place.tsx'
import type { ChosenPoint } from './subject.ts'
import { namesOf } from './subject.ts'

/** The chosen points, each of which can be taken away, and whether the period before is drawn with them. */
export function ChosenBar({
  chosen,
  gone,
  compare,
  onChoose,
  onPick,
  onCompare,
}: {
  chosen: readonly ChosenPoint[]
  /** So many more are named, and there no more. */
  gone: number
  compare: boolean
  onChoose: (chosen: readonly ChosenPoint[]) => void
  onPick: () => void
  onCompare: (compare: boolean) => void
}) {
  const { t } = useTranslation('history')
  return (
    <div className="chosen-bar">
      <ul className="chips" aria-label={t('addPoints')}>
        {chosen.map((each) => (
          <li className="chip" key={`${each.lineRef.line.LineID}:${each.point.key}`}>
            <span>
              <Place names={namesOf(each)} between=" " />
            </span>
            <button
              type="button"
              aria-label={t('removePoint', { name: namesOf(each).join(' ') })}
              onClick={() => onChoose(chosen.filter((other) => other !== each))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="btn small" aria-label={t('addPoints')} onClick={onPick}>
        <Icon name="plus" />
        {t('points', { count: chosen.length, most: maxHistoryPoints })}
      </button>
      {chosen.length > 0 && (
        <button type="button" className="btn small quiet" onClick={() => onChoose([])}>
          {t('clear')}
        </button>
      )}
      {gone > 0 && (
        <span className="mute" role="status">
          {t('pointsGone', { count: gone })}
        </span>
      )}
      <span className="grow" />
      <button type="button" className="btn small" aria-pressed={compare} onClick={() => onCompare(!compare)}>
        {t('compare')}
      </button>
    </div>
  )
}
