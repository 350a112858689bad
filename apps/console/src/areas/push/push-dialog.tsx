import type { ProjectRecord, PushRecord } from '@linewarden/contract'
import { deletePush, listPushes, rotatePush } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PushCard } from './push-card.tsx'
import { PushForm } from './push-form.tsx'
import type { MadeSecret } from './push-secret.tsx'
import { PushSecret } from './push-secret.tsx'
import './push-dialog.css'

type Open =
  | { readonly kind: 'form'; readonly push: PushRecord | null }
  | { readonly kind: 'rotate' | 'delete'; readonly push: PushRecord }
  | { readonly kind: 'secret'; readonly made: MadeSecret }

/** A project's subscriptions at operators' platforms, with what each has brought. */
export function PushDialog({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const { t } = useTranslation(['push', 'app'])
  const { HouseID } = project
  const [open, setOpen] = useState<Open | null>(null)
  const query = useCall(listPushes, { query: { HouseID } }, { refetchInterval: 5_000 })
  const { data } = query
  const title = t('title', { name: project.Name })
  const back = () => setOpen(null)
  if (open?.kind === 'form')
    return (
      <PushForm
        project={project}
        push={open.push}
        onSaved={(made) => made && setOpen({ kind: 'secret', made })}
        // Saving closes the form; a new secret must still be seen after that.
        onClose={() => setOpen((now) => (now?.kind === 'form' ? null : now))}
      />
    )
  if (open?.kind === 'secret') return <PushSecret made={open.made} onClose={back} />
  if (open?.kind === 'delete')
    return (
      <ConfirmDialog
        title={t('deleteTitle', { name: open.push.Name })}
        what={t('deleteWhat')}
        submit={t('app:delete')}
        onClose={back}
        onConfirm={() => errorTextOf(change(deletePush, { body: { HouseID, PushID: open.push.PushID } }))}
      />
    )
  if (open?.kind === 'rotate')
    return (
      <ConfirmDialog
        title={t('rotateTitle', { name: open.push.Name })}
        what={t('rotateWhat')}
        submit={t('rotate')}
        onClose={() => setOpen((now) => (now?.kind === 'rotate' ? null : now))}
        onConfirm={() =>
          errorTextOf(
            api
              .call(rotatePush, { body: { HouseID, PushID: open.push.PushID } })
              .then((made) => setOpen({ kind: 'secret', made })),
          )
        }
      />
    )
  return (
    <Dialog label={title} wide onClose={onClose}>
      <h2>{title}</h2>
      <div className="content">
        <p className="mute">{t('what')}</p>
        <Unloaded query={query} />
        {data?.items.length === 0 && <p className="mute">{t('none')}</p>}
        {data && data.items.length > 0 && (
          <ul className="pushes">
            {data.items.map((push) => (
              <PushCard
                key={push.PushID}
                push={push}
                onEdit={() => setOpen({ kind: 'form', push })}
                onRotate={() => setOpen({ kind: 'rotate', push })}
                onDelete={() => setOpen({ kind: 'delete', push })}
              />
            ))}
          </ul>
        )}
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={() => setOpen({ kind: 'form', push: null })}>
          {t('add')}
        </button>
        <button type="button" className="btn primary" onClick={onClose}>
          {t('app:close')}
        </button>
      </div>
    </Dialog>
  )
}
