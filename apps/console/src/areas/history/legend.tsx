import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import type { Panel } from './panels.ts'
import { namesOf } from './subject.ts'

/** What each colour and pattern of the picture means; only what is in it. */
export function Legend({ panels, events, compare }: { panels: readonly Panel[]; events: boolean; compare: boolean }) {
  const { t } = useTranslation(['history', 'app'])
  const drawn = panels.flatMap((panel) => panel.drawn)
  const late = drawn.some(({ series }) => series.Late.length > 0)
  const gaps = panels.some((panel) => panel.gaps.length > 0)
  return (
    <ul className="legend">
      {drawn.map(({ chosen, colour, series }) => (
        <li key={`${series.LineID}:${series.Point}`}>
          <i className="key" style={{ background: `var(${colour})` }} />
          <span>
            <Place names={namesOf(chosen)} between=" " />
          </span>
        </li>
      ))}
      {compare && (
        <li>
          <i className="ghost" />
          {t('previous')}
        </li>
      )}
      {gaps && (
        <li>
          <i className="gap" />
          {t('gap')}
        </li>
      )}
      {late && (
        <li>
          <i className="late" />
          {t('app:backFilled')}
        </li>
      )}
      {events && (
        <li>
          <Mark kind="warning" size={12} />
          {t('event')}
        </li>
      )}
    </ul>
  )
}
