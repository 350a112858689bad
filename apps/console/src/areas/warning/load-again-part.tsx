import type { LoadAgain } from '@linewarden/contract'
import { listLoadAgain, placeNames } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../app/net/use-call.ts'
import { useMayOpen } from '../../app/session/use-may.ts'
import { lineHistory, paths } from '../../paths.ts'
import { placeFilter } from '../../plant/place-filter.ts'
import { useSelection } from '../../plant/selection.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import { withUnit } from './amount.ts'
import { hourSpans } from './hour-spans.ts'
import './load-again.css'

const shown = 50
/** It is said once a night. */
const everyMs = 600_000

/** Lines that may be overloaded today: shown for the day, and no event. Nothing where there is none. */
export function LoadAgainPart() {
  const { t } = useTranslation('warning')
  const [selection] = useSelection()
  const [unfolded, setUnfolded] = useState(false)
  const { data } = useCall(
    listLoadAgain,
    { body: { ...placeFilter(selection), Size: shown } },
    { placeholderData: (former) => former, refetchInterval: everyMs },
  )
  if (!data || data.total === 0) return null
  const rest = data.total - data.items.length
  return (
    <section className="load-again" aria-label={t('again.title')}>
      <button type="button" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
        <Icon name={unfolded ? 'down' : 'right'} />
        <Mark kind="warning" size={12} />
        <b>{t('again.count', { count: data.total })}</b>
        <span className="mute">{t('again.meaning')}</span>
      </button>
      {unfolded && (
        <ul>
          {data.items.map((line) => (
            <LineAgain key={line.LineID} line={line} />
          ))}
          {rest > 0 && <li className="mute">{t('again.rest', { count: rest })}</li>}
        </ul>
      )}
    </section>
  )
}

function LineAgain({ line }: { line: LoadAgain }) {
  const { t } = useTranslation('warning')
  const mayTrace = useMayOpen(paths.history)
  const place = <Place names={placeNames(line.Where)} between=" › " />
  return (
    <li>
      {mayTrace ? (
        <Link className="text-link" to={lineHistory(line.HouseID, line.LineID)}>
          {place}
        </Link>
      ) : (
        <span>{place}</span>
      )}
      <LineTag lineId={line.LineID} />
      <b>{hourSpans(line.Hours).join(t('again.and'))}</b>
      <span>
        {t('again.value', {
          value: withUnit(line.Value, line.Unit),
          limit: withUnit(line.Limit, line.Unit),
          count: line.Used,
        })}
      </span>
    </li>
  )
}
