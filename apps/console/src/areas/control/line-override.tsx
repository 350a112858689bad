import { querySwitch, releaseLine } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { useCall } from '../../app/net/use-call.ts'
import { useSession } from '../../app/session/session.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { projectMoment } from '../../plant/project-moment.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { overriddenBy, overrideText } from './override-text.ts'
import { problemOf } from './problem-of.ts'
import { timedLines } from './timed-texts.ts'
import './timed-lines.css'

addTexts({ timedLines })

/** Whoever keeps timers, and closes by linkages and scenes, from a line, until when and why; nothing where nobody does. */
export function OverrideOfLine({ lineRef }: { lineRef: LineRef }) {
  const { t } = useTranslation('timedLines')
  const { device, line, project } = lineRef
  const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
  const { data: found } = useCall(querySwitch, { query: params }, { refetchInterval: 10_000 })
  const user = useSession((session) => session.user)
  const [asking, setAsking] = useState(false)
  const may = user?.Roles.LevelBtn.includes('lineSwitch') === true && !user.Shared
  const isTimed = found?.items.some(({ Kind }) => Kind === 'timer') === true
  const isClosed = found?.items.some((each) => each.Kind !== 'timer' && each.Enabled && each.NextAction === 'close') === true
  // Of a line that nothing acts on by itself there is nothing to hold.
  const data = found?.about.Override
  if (!data || !(isTimed || isClosed)) return null
  const words = overrideText(data, project.TimeZone, isTimed)
  return (
    <section className="line-override" aria-label={t('override')}>
      <p>
        <b>
          {t('override')} · {words}
        </b>
        <small className="mute">{overriddenBy(data, project.TimeZone)}</small>
        {data.Reason !== '' && <small className="mute">{t('reasonOf', { reason: data.Reason })}</small>}
      </p>
      {may && (
        <button type="button" className="btn" onClick={() => setAsking(true)}>
          {t('end')}
        </button>
      )}
      {asking && (
        <EndOverride name={line.LineName} params={params} timeZone={project.TimeZone} onClose={() => setAsking(false)} />
      )}
    </section>
  )
}

/** Nothing moves because of it; what acts next is said before. */
function EndOverride({
  name,
  params,
  timeZone,
  onClose,
}: {
  name: string
  params: { readonly ControllerID: string; readonly LineNo: number }
  timeZone: string
  onClose: () => void
}) {
  const { t } = useTranslation('timedLines')
  const items = useCall(querySwitch, { query: params }).data?.items ?? []
  const next = items.find(({ Kind, NextAt, NextAction }) => Kind === 'timer' && NextAt !== null && NextAction !== null)
  const end = async () => {
    try {
      await change(releaseLine, { params })
      return null
    } catch (error) {
      return problemOf(error)
    }
  }
  return (
    <FormDialog title={t('endTitle', { name })} submit={t('end')} onSubmit={end} onClose={onClose}>
      <p>{t('endWhat')}</p>
      {next?.NextAction && (
        <p>
          {t('endNext', {
            ...{ when: projectMoment(next.NextAt ?? 0, timeZone), name: next.Name },
            action: t(`actions.${next.NextAction}`),
          })}
        </p>
      )}
    </FormDialog>
  )
}
