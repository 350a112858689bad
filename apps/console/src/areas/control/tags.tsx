import type { TagRecord } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useSession } from '../../app/session/session.ts'
import { useMay } from '../../app/session/use-may.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { clockTime, dayTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Inspection } from './inspection.tsx'
import { OperateDialog } from './operate-dialog.tsx'
import { PhotoDialog } from './photo-dialog.tsx'
import { PlaceTagDialog } from './place-tag-dialog.tsx'
import { useLineTags } from './queries.ts'
import { RemoveTagDialog } from './remove-tag-dialog.tsx'
import './operations.css'

type Open = { readonly kind: 'place' | 'trip' } | { readonly kind: 'remove' | 'photo'; readonly tag: TagRecord }

/**
 * Who works on this line: the tags that hang, one's own to take off, those that hung, and the inspection lock. `only` `hanging`: of what nobody
 * operates or sets only while a tag holds it, for it may hang on its whole gateway.
 */
export function Tags({ lineRef, only }: { lineRef: LineRef; only: 'hanging' | null }) {
  const { t } = useTranslation('operations')
  const { device, line } = lineRef
  const [open, setOpen] = useState<Open | null>(null)
  const user = useSession((session) => session.user)
  const may = user?.Roles.LevelBtn.includes('lineSwitch') === true && !user.Shared
  const mayTag = useMay('tagLines')
  const tags = useLineTags(device.ControllerID, line.LineNo)
  const { data } = tags
  const hanging = data?.items.filter(({ RemovedAt }) => RemovedAt === null) ?? []
  const former = data?.items.filter(({ RemovedAt }) => RemovedAt !== null) ?? []
  // What the dialog says of its own end is still to be read.
  if (only && hanging.length === 0 && !open && !tags.isError) return null
  return (
    <section className="part tags" aria-label={t('tags')}>
      <h3>
        {t('tags')}
        <span className="grow" />
        <ReasonedButton className="btn small" reason={mayTag ? null : t('mayNotTag')} onClick={() => setOpen({ kind: 'place' })}>
          <Icon name="lock" />
          {t('placeTag')}
        </ReasonedButton>
      </h3>
      {!mayTag && <p className="mute">{t('mayNotTag')}</p>}
      <Unloaded query={tags} />
      {data && hanging.length === 0 && <p className="mute">{t('noTags')}</p>}
      <ul>
        {hanging.map((tag) => (
          <li key={tag.TagID}>
            <Icon name={tag.Kind === 'lock' ? 'lock' : 'hand'} />
            <span>
              <b>{tag.Holder}</b> {tag.Reason}
              <small className="mute">
                <Where tag={tag} lineRef={lineRef} /> · {clockTime(tag.PlacedAt)}
              </small>
              <ExpectedEnd tag={tag} />
            </span>
            {tag.Photo && (
              <button type="button" className="btn small quiet" onClick={() => setOpen({ kind: 'photo', tag })}>
                {t('showPhoto')}
              </button>
            )}
            {(tag.Own || user?.Roles.IsAdministrators) && mayTag && (
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
              <FormerTag key={tag.TagID} tag={tag} lineRef={lineRef} onPhoto={() => setOpen({ kind: 'photo', tag })} />
            ))}
          </ul>
        </details>
      )}
      <Inspection lineRef={lineRef} may={may} />
      {open?.kind === 'place' && (
        <PlaceTagDialog
          lineRef={lineRef}
          onTrip={may ? () => setOpen({ kind: 'trip' }) : null}
          onClose={() => setOpen((now) => (now?.kind === 'trip' ? now : null))}
        />
      )}
      {open?.kind === 'trip' && <OperateDialog lineRef={lineRef} action="trip" onClose={() => setOpen(null)} />}
      {open?.kind === 'remove' && <RemoveTagDialog lineRef={lineRef} tag={open.tag} onClose={() => setOpen(null)} />}
      {open?.kind === 'photo' && <PhotoDialog lineRef={lineRef} tag={open.tag} onClose={() => setOpen(null)} />}
    </section>
  )
}

/** On what it hangs, as seen from this line. */
function Where({ tag, lineRef }: { tag: TagRecord; lineRef: LineRef }) {
  const { t } = useTranslation('operations')
  // A detector is one with its line.
  const on = tag.On === 'line' && lineRef.family?.level === 'device' ? 'device' : tag.On
  return t(`hungOn.${on}`)
}

/** Until when it was thought to hang. When that is over it hangs on: somebody has to ask its holder. */
function ExpectedEnd({ tag: { ExpectedEnd: end } }: { tag: TagRecord }) {
  const { t } = useTranslation('operations')
  const now = useNow()
  if (end === null) return null
  return end > now ? (
    <small className="mute">{t('endExpected', { time: dayTime(end) })}</small>
  ) : (
    <small>
      <b>{t('endPassed', { time: dayTime(end) })}</b>
    </small>
  )
}

/** Who hung it, where, why, and who took it off again. */
function FormerTag({ tag, lineRef, onPhoto }: { tag: TagRecord; lineRef: LineRef; onPhoto: () => void }) {
  const { t } = useTranslation('operations')
  const reason = tag.RemovedReason === null ? '' : t('removedFor', { reason: tag.RemovedReason })
  return (
    <li>
      <span>
        {tag.Holder} {tag.Reason}
        <small className="mute">
          <Where tag={tag} lineRef={lineRef} /> · {t('placedAt', { time: clockTime(tag.PlacedAt) })}
        </small>
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
