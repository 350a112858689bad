import type { SearchHit } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/api.ts'
import { Failed, Loading } from '../../ui/body-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import type { Selection } from './equipment.ts'
import { useSearch } from './queries.ts'

/** What is called so, gateways first, each with where it is. */
export function SearchHits({ text, choose }: { text: string; choose: (to: Selection) => void }) {
  const { t } = useTranslation('monitor')
  const { data, isError, error, isLoading, refetch } = useSearch(useDelayed(text, 200))
  if (isError) return <Failed message={messageOf(error)} retry={() => refetch()} />
  if (isLoading || !data) return <Loading />
  return (
    <div className="nodes" aria-label={t('hits')} role="region">
      {data.items.length === 0 && <p className="mute none">{t('noHits', { text })}</p>}
      <ul className="hits">
        {data.items.map((hit) => (
          <li key={`${hit.DeviceID}:${hit.LineID}`}>
            <button type="button" onClick={() => choose(selectionOf(hit))}>
              <Icon name={hit.Kind === 'gateway' ? 'gateway' : 'line'} />
              <span>
                <b>{hit.Kind === 'gateway' ? hit.GatewayName : hit.LineName}</b>
                <small>
                  {hit.Kind === 'gateway' ? `${hit.HouseName} › ${hit.Number}` : `${hit.HouseName} › ${hit.GatewayName}`}
                </small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data.total > data.items.length && (
        <p className="mute none">{t('moreHits', { shown: data.items.length, total: data.total })}</p>
      )}
    </div>
  )
}

const selectionOf = ({ Kind, HouseID, DeviceID, LineID }: SearchHit): Selection =>
  Kind === 'gateway' || LineID === null
    ? { kind: 'gateway', house: HouseID, id: DeviceID }
    : { kind: 'line', house: HouseID, id: LineID }
