import type { Project } from '@linewarden/contract'
import { quietHours } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { QuietHoursDialog } from './quiet-hours-dialog.tsx'
import { windowText } from './quiet-text.ts'

/** When no self-test may cut the supply of a project, and who may change that. */
export function QuietHoursView({ project }: { project: Pick<Project, 'HouseID' | 'Name' | 'TimeZone'> }) {
  const { t } = useTranslation('safety')
  const may = [useMayEdit(), useMayOpen('/system/project')].every(Boolean)
  const [editing, setEditing] = useState(false)
  const query = useCall(quietHours, { params: { HouseID: project.HouseID } })
  const { data } = query
  if (!data) return <Unloaded query={query} />
  return (
    <section className="quiet-hours" aria-label={t('quiet')}>
      <Unloaded query={query} />
      <p>{t('quietWhat')}</p>
      {data.Windows.length === 0 ? (
        <p className="mute">{t('quietNone')}</p>
      ) : (
        <ul>
          {data.Windows.map((window, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: windows have no other name than their place
            <li key={index}>{windowText(window, t)}</li>
          ))}
        </ul>
      )}
      <p>
        <ReasonedButton className="btn primary" reason={may ? null : t('mayNotProject')} onClick={() => setEditing(true)}>
          {t('quietEdit')}
        </ReasonedButton>
        <small className="mute">{may ? t('zone', { zone: project.TimeZone }) : t('mayNotProject')}</small>
      </p>
      {editing && <QuietHoursDialog project={project} present={data} onClose={() => setEditing(false)} />}
    </section>
  )
}
