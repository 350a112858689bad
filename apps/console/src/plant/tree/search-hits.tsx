import type { SearchHit } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { Loading } from '../../ui/body-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Place } from '../../ui/place.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import type { Selection } from '../equipment.ts'
import { useSearch } from '../queries.ts'
import { LineTag } from '../tag-mark.tsx'

/** What is called so, gateways first, each with where it is. What was found for other letters is no answer to these. */
export function SearchHits({ text, choose }: { text: string; choose: (to: Selection) => void }) {
  const { t } = useTranslation('monitor')
  const asked = useDelayed(text, 200)
  const search = useSearch(asked)
  if (asked !== text) return <Loading />
  if (!search.data) return <Unloaded query={search} />
  const { items, total } = search.data
  return (
    <div className="nodes" aria-label={t('hits')} role="region">
      <Unloaded query={search} />
      {items.length === 0 && <p className="mute none">{t('noHits', { text })}</p>}
      <ul className="hits">
        {items.map((hit) => (
          <li key={`${hit.DeviceID}:${hit.LineID}`}>
            <button type="button" onClick={() => choose(selectionOf(hit))}>
              <Icon name={hit.Kind === 'gateway' ? 'gateway' : 'line'} />
              <span>
                <b>{hit.Kind === 'gateway' ? hit.GatewayName : hit.LineName}</b>
                <small>
                  <Place names={[hit.HouseName, hit.Kind === 'gateway' ? hit.Number : hit.GatewayName]} between=" › " />
                </small>
              </span>
              <LineTag lineId={hit.Kind === 'gateway' ? null : hit.LineID} />
            </button>
          </li>
        ))}
      </ul>
      {total > items.length && <p className="mute none">{t('moreHits', { shown: items.length, total })}</p>}
    </div>
  )
}

const selectionOf = ({ Kind, HouseID, DeviceID, LineID }: SearchHit): Selection =>
  Kind === 'gateway' || LineID === null
    ? { kind: 'gateway', house: HouseID, id: DeviceID }
    : { kind: 'line', house: HouseID, id: LineID }
