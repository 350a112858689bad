import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { CloseFoot, Dialog } from '../../../ui/dialog.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useControlGrant } from '../../control/control-grant.tsx'

/** A project with timers, scenes or linkages that nobody answers for. */
export interface OrphansOfProject {
  readonly HouseID: number
  readonly Name: string
  readonly Count: number
}
type Taken = { readonly project: OrphansOfProject } & (
  | { readonly reply: { readonly Taken: number; readonly Left: number } }
  | { readonly error: string }
)

/** An administrator answers from now on for all that nobody answers for. What became of it is said project by project. */
export function TakeOrphansDialog({
  kind,
  projects,
  title,
  what,
  take,
  onClose,
}: {
  kind: 'timer' | 'scene' | 'linkage'
  projects: readonly OrphansOfProject[]
  title: string
  what: string
  take: (body: {
    readonly HouseID: number
    readonly Grant?: string
  }) => Promise<{ readonly Taken: number; readonly Left: number }>
  onClose: () => void
}) {
  const { t } = useTranslation('automation')
  const control = useControlGrant({ autoFocus: true })
  const [taken, setTaken] = useState<readonly Taken[] | null>(null)
  const run = async () => {
    if (!control.check()) return ''
    const done: Taken[] = []
    for (const project of projects) {
      try {
        const grant = await control.take(`automation:${kind}:orphans:${project.HouseID}`)
        done.push({ project, reply: await take({ HouseID: project.HouseID, ...grant }) })
      } catch (error) {
        // Of the first one it is the password, most likely: nothing has been done yet, and it can be entered again.
        if (done.length === 0) {
          control.forget()
          return messageOf(error)
        }
        done.push({ project, error: messageOf(error) })
      }
    }
    setTaken(done)
    return ''
  }
  if (taken)
    return (
      <Dialog label={t('takenTitle')} onClose={onClose}>
        <h2>{t('takenTitle')}</h2>
        <ul className="content taken-list" role="status">
          {taken.map((each) => (
            <li key={each.project.HouseID}>
              <Icon name={'reply' in each && each.reply.Left === 0 ? 'check' : 'close'} />
              <span>
                <b>{each.project.Name}</b>
                {'reply' in each ? (
                  <>
                    {t('takenOf', { count: each.reply.Taken })}
                    {each.reply.Left > 0 && <small>{t('takenLeft', { count: each.reply.Left })}</small>}
                  </>
                ) : (
                  <small>{each.error}</small>
                )}
              </span>
            </li>
          ))}
        </ul>
        <CloseFoot onClose={onClose} />
      </Dialog>
    )
  return (
    <FormDialog title={title} submit={t('takeAll')} onSubmit={run} onClose={onClose}>
      <p>{what}</p>
      <ul className="taken-list">
        {projects.map(({ HouseID, Name, Count }) => (
          <li key={HouseID}>
            <span>
              <b>{Name}</b>
              {t('orphansIn', { count: Count })}
            </span>
          </li>
        ))}
      </ul>
      {control.field}
    </FormDialog>
  )
}
