import { maxStops } from '@linewarden/rules/inspection'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useProjects } from '../../plant/queries.ts'
import { SearchField, TextField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TriCheck } from '../../ui/tri-check.tsx'
import './plan-form.css'
import type { Cabinet, ChosenStop } from './stops.ts'
import { cabinetsOf, moved, placeStop, stopKey, withoutStops, withStops } from './stops.ts'

/** What of a project is walked, ticked in its tree, and in which order. */
export function StopPicker({
  houseId,
  route,
  withPlaces,
  error,
  onChange,
}: {
  houseId: number
  route: readonly ChosenStop[]
  /** An online round walks equipment alone. */
  withPlaces: boolean
  error?: string | null
  onChange: (route: readonly ChosenStop[]) => void
}) {
  const { t } = useTranslation('inspection')
  const { projects, lacking } = useProjects([houseId])
  const cabinets = projects.flatMap(cabinetsOf)
  return (
    <fieldset className={error ? 'stop-picker wrong' : 'stop-picker'}>
      <legend>
        {t('stops')} <small className="mute">{t('stopsChosen', { count: route.length, most: maxStops })}</small>
      </legend>
      {error && (
        <p className="problem" role="alert">
          {error}
        </p>
      )}
      {lacking && <Unloaded query={lacking} />}
      <div className="stop-sides">
        <StopTree cabinets={cabinets} route={route} isLoaded={!lacking} onChange={onChange} />
        <Route route={route} withPlaces={withPlaces} onChange={onChange} />
      </div>
    </fieldset>
  )
}

function StopTree({
  cabinets,
  route,
  isLoaded,
  onChange,
}: {
  cabinets: readonly Cabinet[]
  route: readonly ChosenStop[]
  isLoaded: boolean
  onChange: (route: readonly ChosenStop[]) => void
}) {
  const { t } = useTranslation('inspection')
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const there = new Set(route.map(stopKey))
  const has = (stop: ChosenStop) => there.has(stopKey(stop))
  const tick = (stops: readonly ChosenStop[], add: boolean) =>
    onChange(add ? withStops(route, stops) : withoutStops(route, stops))
  const shown = cabinets.flatMap(({ gateway, devices }) => {
    const all = [gateway, ...devices]
    const found = all.filter(({ name, id }) => `${name} ${id} ${gateway.name}`.toLowerCase().includes(wanted))
    return found.length === 0 ? [] : [{ gateway, found }]
  })
  return (
    <div className="stop-tree">
      <SearchField label={t('stopSearch')} value={search} onChange={setSearch} />
      <div className="pick-from">
        {shown.map(({ gateway, found }) => {
          const count = found.filter(has).length
          return (
            <section key={gateway.id} aria-label={gateway.name}>
              <TriCheck
                chosen={count === 0 ? 'none' : count === found.length ? 'all' : 'some'}
                onChange={(add) => tick(found, add)}
              >
                <b>{gateway.name}</b> <small className="mute">{t('wholeCabinet')}</small>
              </TriCheck>
              {found.map((stop) => (
                <TriCheck key={stopKey(stop)} chosen={has(stop) ? 'all' : 'none'} onChange={(add) => tick([stop], add)}>
                  <bdi>{stop.name}</bdi> <small className="mute">{stop.kind === 'gateway' ? t('gateway') : stop.id}</small>
                </TriCheck>
              ))}
            </section>
          )
        })}
        {isLoaded && shown.length === 0 && <p className="mute">{t(cabinets.length === 0 ? 'noEquipment' : 'noneCalled')}</p>}
      </div>
    </div>
  )
}

function Route({
  route,
  withPlaces,
  onChange,
}: {
  route: readonly ChosenStop[]
  withPlaces: boolean
  onChange: (route: readonly ChosenStop[]) => void
}) {
  const { t } = useTranslation('inspection')
  const [place, setPlace] = useState('')
  const add = () => {
    const name = place.trim()
    if (name === '') return
    onChange(withStops(route, [placeStop(name)]))
    setPlace('')
  }
  return (
    <div className="stop-route">
      {withPlaces && (
        <div className="with-button">
          <TextField label={t('place')} hint={t('placeHint')} maxLength={60} value={place} onChange={setPlace} />
          <button type="button" className="btn" onClick={add}>
            {t('addPlace')}
          </button>
        </div>
      )}
      <ol className="route" aria-label={t('route')}>
        {route.map((stop, at) => (
          <li key={stopKey(stop)} className={stop.gone ? 'gone' : undefined}>
            <span className="no">{at + 1}</span>
            <span className="name">
              {stop.name}
              <small>{stop.gone ? t('stopGone') : stop.kind === 'place' ? t('namedPlace') : stop.gateway || t('gateway')}</small>
            </span>
            <button
              type="button"
              className="btn small quiet"
              aria-label={t('moveUp', { name: stop.name })}
              disabled={at === 0}
              onClick={() => onChange(moved(route, at, -1))}
            >
              <Icon name="sortUp" />
            </button>
            <button
              type="button"
              className="btn small quiet"
              aria-label={t('moveDown', { name: stop.name })}
              disabled={at === route.length - 1}
              onClick={() => onChange(moved(route, at, 1))}
            >
              <Icon name="sortDown" />
            </button>
            <button
              type="button"
              className="btn small quiet"
              aria-label={t('takeOut', { name: stop.name })}
              onClick={() => onChange(withoutStops(route, [stop]))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
        {route.length === 0 && <li className="mute">{t('noStops')}</li>}
      </ol>
    </div>
  )
}
