import { allGateways, groupNameOf } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { combineQueries } from '../../app/net/combined-query.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { SearchField } from '../../ui/fields.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { chosenOf, TriCheck } from '../../ui/tri-check.tsx'
import { useGroupNames } from '../site/queries.ts'
import './assign-tree.css'

export interface Assigned {
  readonly HouseIDs: readonly number[]
  readonly DeviceIDs: readonly number[]
}

/**
 * What there is to give to an account of this owner; null: of the installation, undefined: of whoever's sub-user or administrator I am.
 * `asked` says why some of it is not there; `only` leaves out what was given once and is not there any more: it could not be given again, and nobody could untick it.
 */
export function useAssignable(ownerId: string | null | undefined) {
  const names = useGroupNames()
  const all = useCall(allGateways, {}, { staleTime: 30_000 })
  const gateways = all.data?.items
  const groups = names.data?.items.filter(({ OwnerID }) => ownerId === undefined || OwnerID === ownerId)
  const only = (assigned: Assigned): Assigned => {
    if (!groups || !gateways) return assigned
    const houses = new Set(groups.flatMap(({ Houses }) => Houses.map(({ HouseID }) => HouseID)))
    const devices = new Set(gateways.filter(({ HouseID }) => houses.has(HouseID)).map(({ DeviceID }) => DeviceID))
    return {
      HouseIDs: assigned.HouseIDs.filter((id) => houses.has(id)),
      DeviceIDs: assigned.DeviceIDs.filter((id) => devices.has(id)),
    }
  }
  return { groups, gateways, asked: combineQueries([names, all]), only }
}

/** What an account is to see: whole projects, or single gateways of others. */
export function AssignTree({
  assigned,
  ownerId,
  error,
  onChange,
}: {
  assigned: Assigned
  /** Whom the account stands under, see `useAssignable`. */
  ownerId: string | null | undefined
  error: string | null
  onChange: (assigned: Assigned) => void
}) {
  const { t } = useTranslation('people')
  const [search, setSearch] = useState('')
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const { groups, gateways, asked } = useAssignable(ownerId)
  if (!groups || !gateways) return <Unloaded query={asked} />
  const unfold = (id: number) => {
    const after = new Set(unfolded)
    if (!after.delete(id)) after.add(id)
    setUnfolded(after)
  }
  const wanted = search.trim().toLowerCase()
  const called = (text: string) => text.toLowerCase().includes(wanted)
  const houses = new Set(assigned.HouseIDs)
  const devices = new Set(assigned.DeviceIDs.map(String))
  const setHouse = (id: number, whole: boolean) => {
    const inside = new Set(gateways.filter(({ HouseID }) => HouseID === id).map(({ DeviceID }) => DeviceID))
    onChange({
      HouseIDs: whole ? [...assigned.HouseIDs, id] : assigned.HouseIDs.filter((each) => each !== id),
      DeviceIDs: assigned.DeviceIDs.filter((each) => !inside.has(each)),
    })
  }
  const setDevice = (id: number, add: boolean) =>
    onChange({ ...assigned, DeviceIDs: add ? [...assigned.DeviceIDs, id] : assigned.DeviceIDs.filter((each) => each !== id) })
  return (
    <fieldset className="assign-tree" aria-invalid={error !== null}>
      <legend>
        {t('assigned')}
        <i aria-hidden="true">*</i>
      </legend>
      <Unloaded query={asked} />
      <SearchField label={t('searchAssigned')} value={search} onChange={setSearch} />
      <div className="assign-list">
        {groups
          .filter(({ Houses }) => Houses.length > 0)
          .map((group) => (
            <section key={group.CityID} aria-label={localised(groupNameOf(group))}>
              <h4>{localised(groupNameOf(group))}</h4>
              {group.Houses.map((house) => {
                const inside = gateways.filter(({ HouseID }) => HouseID === house.HouseID)
                const shown = called(house.Name) ? inside : inside.filter((each) => called(`${each.GatewayName} ${each.Number}`))
                if (!called(house.Name) && shown.length === 0) return null
                const whole = houses.has(house.HouseID)
                const some = chosenOf(
                  inside.map(({ DeviceID }) => String(DeviceID)),
                  devices,
                )
                const isOpen = wanted !== '' || unfolded.has(house.HouseID)
                return (
                  <div key={house.HouseID}>
                    <div className="assign-house">
                      <button
                        type="button"
                        className="btn small quiet"
                        aria-expanded={isOpen}
                        aria-label={`${t('gatewaysOf')} ${house.Name}`}
                        onClick={() => unfold(house.HouseID)}
                      >
                        <Icon name={isOpen ? 'down' : 'right'} />
                      </button>
                      <TriCheck
                        chosen={whole ? 'all' : some === 'none' ? 'none' : 'some'}
                        onChange={() => setHouse(house.HouseID, !whole)}
                      >
                        {house.Name} {whole && <small className="mute">{t('wholeProject')}</small>}
                      </TriCheck>
                    </div>
                    {isOpen &&
                      shown.map(({ DeviceID, GatewayName, Number: number }) => (
                        <TriCheck
                          key={DeviceID}
                          chosen={whole || devices.has(String(DeviceID)) ? 'all' : 'none'}
                          disabled={whole}
                          onChange={(add) => setDevice(DeviceID, add)}
                        >
                          {GatewayName} <small className="mute">{number}</small>
                        </TriCheck>
                      ))}
                  </div>
                )
              })}
            </section>
          ))}
      </div>
      {error && <small role="alert">{error}</small>}
    </fieldset>
  )
}
