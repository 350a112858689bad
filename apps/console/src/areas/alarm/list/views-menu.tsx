import type { AlarmView } from '@linewarden/contract'
import { keepAlarmView, listAlarmViews, maxAlarmViews, removeAlarmView } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { change } from '../../../app/net/change.ts'
import { newId } from '../../../app/net/new-id.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useMayEdit } from '../../../app/session/use-may.ts'
import { paths } from '../../../paths.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { readAddress, writeAddress } from './address.ts'

/** What of an address is kept: all but which event is open. */
const keptOf = (query: URLSearchParams): string => writeAddress({ ...readAddress(query), event: null }, query).toString()

/** Filters, order and place that a person keeps under names; they are there wherever the person signs in. */
export function ViewsMenu() {
  const { t } = useTranslation('alarmList')
  const views = useCall(listAlarmViews, {})
  const mayEdit = useMayEdit()
  const [query] = useSearchParams()
  const items = views.data?.items ?? []
  const present = keptOf(query)
  const current = items.find(({ Address }) => Address === present)
  return (
    <span className="views">
      <Popover label={current?.Name ?? t('views')} icon={<Icon name="page" />}>
        <Unloaded query={views} />
        {views.data && items.length === 0 && <p className="mute">{t('noViews')}</p>}
        <ul>
          {items.map((view) => (
            <ViewItem key={view.ViewID} view={view} isCurrent={view === current} mayEdit={mayEdit} />
          ))}
        </ul>
        {mayEdit && views.data && <KeepForm views={items} address={present} />}
      </Popover>
    </span>
  )
}

function ViewItem({ view, isCurrent, mayEdit }: { view: AlarmView; isCurrent: boolean; mayEdit: boolean }) {
  const { t } = useTranslation('alarmList')
  const remove = () => void callWithToast(change(removeAlarmView, { body: { ViewID: view.ViewID } }))
  return (
    <li>
      <Link className="btn quiet" aria-current={isCurrent || undefined} to={`${paths.alarms}?${view.Address}`}>
        <bdi>{view.Name}</bdi>
      </Link>
      {mayEdit && (
        <button type="button" className="btn quiet" aria-label={t('removeView', { name: view.Name })} onClick={remove}>
          <Icon name="trash" />
        </button>
      )}
    </li>
  )
}

/** Keeps what is shown; under a name that is there already in its place. */
function KeepForm({ views, address }: { views: readonly AlarmView[]; address: string }) {
  const { t } = useTranslation('alarmList')
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const Name = name.trim()
  const same = views.find((view) => view.Name === Name)
  const isFull = views.length >= maxAlarmViews && !same
  const keep = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || Name === '' || isFull) return
    setBusy(true)
    const kept = await callWithToast(change(keepAlarmView, { body: { ViewID: same?.ViewID ?? newId(), Name, Address: address } }))
    setBusy(false)
    if (kept) setName('')
  }
  if (isFull && Name === '') return <p className="mute">{t('viewsFull', { count: maxAlarmViews })}</p>
  return (
    <form className="keep-view" onSubmit={keep} noValidate>
      <span className="field">
        <input
          aria-label={t('viewName')}
          placeholder={t('viewName')}
          maxLength={40}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </span>
      <button type="submit" className="btn" disabled={Name === ''} aria-busy={busy}>
        {same ? t('replaceView') : t('keepView')}
      </button>
    </form>
  )
}
