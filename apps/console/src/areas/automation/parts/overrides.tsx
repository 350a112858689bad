import type { OverriddenLine } from '@linewarden/contract'
import { queryOverrides } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../app/net/use-call.ts'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { overriddenBy, overrideText } from '../../control/override-text.ts'
import { timedLines } from '../../control/timed-texts.ts'
import './parts.css'

addTexts({ timedLines })

const shownAtMost = 100

/** Lines that people have on hold, of those that timers act on or that a linkage or scene would close; each leads to where the hold is ended. */
export function Overrides({ houseId, onOpen }: { houseId: number | null; onOpen: (line: OverriddenLine) => void }) {
  const { t } = useTranslation('timedLines')
  const body = { ...(houseId !== null && { HouseID: houseId }), Size: shownAtMost }
  const { data } = useCall(queryOverrides, { body }, { refetchInterval: 10_000 })
  if (!data || data.total === 0) return null
  return (
    <details className="line-overrides">
      <summary>{t('linesOverridden', { count: data.total })}</summary>
      <ul>
        {data.items.map((each) => (
          <li key={each.LineID}>
            <span>
              <button type="button" className="text-link" onClick={() => onOpen(each)}>
                {each.LineName}
              </button>{' '}
              <LineTag lineId={each.LineID} />
            </span>
            <span>
              {overrideText(each, each.TimeZone, each.Timed)}
              <small className="mute">
                {each.HouseName} · {overriddenBy(each, each.TimeZone)}
                {each.Reason !== '' && ` · ${each.Reason}`}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
