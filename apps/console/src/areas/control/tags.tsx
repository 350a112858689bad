import type { TagRecord } from '@linewarden/contract'
import { inspect, lineTags, removeTag } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/api.ts'
import { attempt } from '../../app/attempt.ts'
import { queryClient } from '../../app/query-client.ts'
import { useSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { clockTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { PhotoDialog } from './photo-dialog.tsx'
import { PlaceTagDialog } from './place-tag-dialog.tsx'
import { problemOf } from './problem-of.ts'
import './operations.css'

type Open = { readonly kind: 'place' } | { readonly kind: 'remove' | 'photo'; readonly tag: TagRecord }

/** Who works on this line: the tags that hang, one's own to take off, and the inspection lock. */
export function Tags({ placed }: { placed: PlacedLine }) {
  const { t } = useTranslation('operations')
  const { device, line, gateway } = placed
  const [open, setOpen] = useState<Open | null>(null)
  const user = useSession((session) => session.user)
  const may = user?.Roles.LevelBtn.includes('lineSwitch') === true && !user.Shared
  const { data } = useQuery({
    queryKey: ['tags', device.ControllerID, line.LineNo],
    queryFn: () => api.call(lineTags, { params: { ControllerID: device.ControllerID, LineNo: line.LineNo } }),
    refetchInterval: 10_000,
  })
  const hanging = data?.items.filter(({ RemovedAt }) => RemovedAt === null) ?? []
  const changed = () =>
    Promise.all(
      ['tags', 'permit'].map((key) => queryClient.invalidateQueries({ queryKey: [key, device.ControllerID, line.LineNo] })),
    )
  const beginInspection = async () => {
    if (await attempt(api.call(inspect, { body: { DeviceID: gateway.DeviceID, ControllerID: device.ControllerID } })))
      toast('info', t('inspecting'))
    await changed()
  }
  return (
    <section className="part tags" aria-label={t('tags')}>
      <h3>
        {t('tags')}
        <span className="grow" />
        <button type="button" className="btn small" disabled={!may} onClick={() => setOpen({ kind: 'place' })}>
          <Icon name="lock" />
          {t('placeTag')}
        </button>
        <button type="button" className="btn small" disabled={!may} onClick={() => void beginInspection()}>
          {t('inspect')}
        </button>
      </h3>
      {data && hanging.length === 0 && <p className="mute">{t('noTags')}</p>}
      <ul>
        {hanging.map((tag) => (
          <li key={tag.TagID}>
            <Icon name={tag.Kind === 'lock' ? 'lock' : 'hand'} />
            <span>
              <b>{tag.Holder}</b> {tag.Reason}
              <small className="mute">{clockTime(tag.PlacedAt)}</small>
            </span>
            {tag.Photo && (
              <button type="button" className="btn small quiet" onClick={() => setOpen({ kind: 'photo', tag })}>
                {t('showPhoto')}
              </button>
            )}
            {(tag.Own || user?.Roles.IsAdministrators) && may && (
              <button type="button" className="btn small quiet" onClick={() => setOpen({ kind: 'remove', tag })}>
                {t('removeTag')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {open?.kind === 'place' && <PlaceTagDialog placed={placed} onPlaced={changed} onClose={() => setOpen(null)} />}
      {open?.kind === 'remove' && (
        <RemoveTagDialog placed={placed} tag={open.tag} onRemoved={changed} onClose={() => setOpen(null)} />
      )}
      {open?.kind === 'photo' && <PhotoDialog placed={placed} tag={open.tag} onClose={() => setOpen(null)} />}
    </section>
  )
}

function RemoveTagDialog({
  placed: { device, line },
  tag,
  onRemoved,
  onClose,
}: {
  placed: PlacedLine
  tag: TagRecord
  onRemoved: () => Promise<unknown>
  onClose: () => void
}) {
  const { t } = useTranslation('operations')
  const [reason, setReason] = useState('')
  const remove = async () => {
    if (!tag.Own && reason.trim() === '') return t('reasonEmpty')
    try {
      await api.call(removeTag, {
        params: { ControllerID: device.ControllerID, LineNo: line.LineNo, TagID: tag.TagID },
        body: reason.trim() === '' ? {} : { Reason: reason.trim() },
      })
      await onRemoved()
      return null
    } catch (error) {
      return problemOf(error)
    }
  }
  return (
    <FormDialog title={t('removeTitle', { holder: tag.Holder })} submit={t('removeTag')} onSubmit={remove} onClose={onClose}>
      <p>{t('removeWhat')}</p>
      <TextField label={t('removeReason')} required={!tag.Own} value={reason} onChange={setReason} maxLength={200} />
    </FormDialog>
  )
}
