import type { LineDetails } from '@linewarden/contract'
import { reclosure } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMay } from '../../app/session/use-may.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { ReclosingDialog } from './reclosing-dialog.tsx'
import './safety.css'

/** Does the line close by itself after a disturbance, when, with whose rights, and is it locked out? */
export function Reclosing({ lineRef, settings }: { lineRef: LineRef; settings: LineDetails['Settings'] }) {
  const { t } = useTranslation(['safety', 'control', 'app'])
  const { device, line } = lineRef
  const may = useMay('lineSwitch')
  const [setting, setSetting] = useState(false)
  const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
  const reclosing = useCall(reclosure, { params }, { refetchInterval: 5_000 })
  const { data } = reclosing
  return (
    <section className="part reclosing" aria-label={t('reclosure')}>
      <h3>
        {t('reclosure')}
        <span className="grow" />
        <ReasonedButton
          className="btn small"
          reason={may ? (data ? null : t('control:notLoadedYet')) : t('control:noPermission')}
          onClick={() => setSetting(true)}
        >
          {t('set')}
        </ReasonedButton>
      </h3>
      <Unloaded query={reclosing} />
      {data && (
        <p>
          {data.Enabled
            ? t('reclosureOn', { delays: data.DelaysS.map((count) => t('app:seconds', { count })).join(' / ') })
            : t('reclosureOff')}
          {data.Enabled && data.Actor !== null && <span className="mute"> · {t('reclosureBy', { actor: data.Actor })}</span>}
          {data.Enabled && data.Attempts > 0 && <span> · {t('tries', { count: data.Attempts })}</span>}
          {data.NextAt !== null && <span> · {t('next', { time: clockTime(data.NextAt) })}</span>}
        </p>
      )}
      {data?.Enabled && data.LockedOutAt !== null && (
        <p className="locked-out">
          <Mark kind="warning" /> {t('lockedOut', { time: clockTime(data.LockedOutAt) })}
          {data.LockedOutWhy !== null && <span> · {t(`lockOuts.${data.LockedOutWhy}`)}</span>}
          {data.Policy.map(({ Key, Why }) => Why && <span key={Key}> · {localised(Why)}</span>)}
        </p>
      )}
      {setting && data && (
        <ReclosingDialog lineRef={lineRef} settings={settings} present={data} onClose={() => setSetting(false)} />
      )}
    </section>
  )
}
