import type { TagRecord } from '@linewarden/contract'
import { lineTags } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useSession } from '../../app/session.ts'
import { Unloaded } from '../../app/unloaded.tsx'
import { clockTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { Inspection } from './inspection.tsx'
import { PhotoDialog } from './photo-dialog.tsx'
import { PlaceTagDialog } from './place-tag-dialog.tsx'
import { RemoveTagDialog } from './remove-tag-dialog.tsx'
import './operations.css'

type Open = { readonly kind: 'place' } | { readonly kind: 'remove' | 'photo'; readonly tag: TagRecord }

/** Who works on this line: the tags that hang, one's own to take off, those that hung, and the inspection lock. */
export function Tags({ placed }: { placed: PlacedLine }) {
  const { t } = useTranslation('operations')
  const { device, line } = placed
  const [open, setOpen] = useState<Open | null>(null)
  const user = useSession((session) => session.user)
  const may = user?.Roles.LevelBtn.includes('lineSwitch') === true && !user.Shared
  const tags = useQuery({
    queryKey: ['tags', device.ControllerID, line.LineNo],
    queryFn: () => api.call(lineTags, { params: { ControllerID: device.ControllerID, LineNo: line.LineNo } }),
    refetchInterval: 10_000,
  })
  const { data } = tags
  const hanging = data?.items.filter(({ RemovedAt }) => RemovedAt === null) ?? []
  const former = data?.items.filter(({ RemovedAt }) => RemovedAt !== null) ?? []
  const changed = () =>
    Promise.all(
      ['tags', 'permit'].map((key) => queryClient.invalidateQueries({ queryKey: [key, device.ControllerID, line.LineNo] })),
    )
  return (
    <section className="part tags" aria-label={t('tags')}>
      <h3>
        {t('tags')}
        <span className="grow" />
        <button type="button" className="btn small" disabled={!may} onClick={() => setOpen({ kind: 'place' })}>
          <Icon name="lock" />
          {t('placeTag')}
        </button>
      </h3>
      <Unloaded query={tags} />
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
      {former.length > 0 && (
        <details>
          <summary>{t('formerTags', { count: former.length })}</summary>
          <ul>
            {former.map((tag) => (
              <FormerTag key={tag.TagID} tag={tag} onPhoto={() => setOpen({ kind: 'photo', tag })} />
            ))}
          </ul>
        </details>
      )}
      <Inspection placed={placed} may={may} />
      {open?.kind === 'place' && <PlaceTagDialog placed={placed} onPlaced={changed} onClose={() => setOpen(null)} />}
      {open?.kind === 'remove' && (
        <RemoveTagDialog placed={placed} tag={open.tag} onRemoved={changed} onClose={() => setOpen(null)} />
      )}
      {open?.kind === 'photo' && <PhotoDialog placed={placed} tag={open.tag} onClose={() => setOpen(null)} />}
    </section>
  )
}

/** Who hung it, why, and who took it off again. */
function FormerTag({ tag, onPhoto }: { tag: TagRecord; onPhoto: () => void }) {
  const { t } = useTranslation('operations')
  const reason = tag.RemovedReason === null ? '' : t('removedFor', { reason: tag.RemovedReason })
  return (
    <li>
      <span>
        {tag.Holder} {tag.Reason}
        <small className="mute">{t('placedAt', { time: clockTime(tag.PlacedAt) })}</small>
        <small className="mute">
          {t('removedBy', { name: tag.RemovedBy ?? '–', time: tag.RemovedAt === null ? '–' : clockTime(tag.RemovedAt) })}
          {reason}
        </small>
      </span>
      {tag.Photo && (
        <button type="button" className="btn small quiet" onClick={onPhoto}>
          {t('showPhoto')}
        </button>
      )}
    </li>
  )
}
