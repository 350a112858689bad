import { detection, lineSelfTests } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useSession } from '../../app/session/session.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { clockTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { CertificateDialog } from './certificate-dialog.tsx'
import { GroupOperationDialog } from './group-operation-dialog.tsx'
import { Measured } from './measured.tsx'
import { BlockReasons } from './permit-box.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { useOperationPermit } from './queries.ts'
import { whyNot } from './why-not.ts'
import './operations.css'

const shownTests = 3

/** Does the residual-current release still trip, and in time? The last tests, when the next is due, and the button for one. */
export function SelfTests({ lineRef }: { lineRef: LineRef }) {
  const { t } = useTranslation(['operations', 'safety', 'control'])
  const { device, line, gateway } = lineRef
  const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
  const user = useSession((session) => session.user)
  const may = user?.Roles.LevelBtn.includes('lineSwitch') === true && !user.Shared
  const [testing, setTesting] = useState(false)
  const [planning, setPlanning] = useState(false)
  const [certificate, setCertificate] = useState<string | null>(null)
  const tests = useCall(lineSelfTests, { params }, { refetchInterval: 10_000 })
  const ids = { DeviceID: gateway.DeviceID, LineID: line.LineID }
  const plan = useCall(detection, { params: ids }, { refetchInterval: 10_000 })
  const permit = useOperationPermit(device.ControllerID, line.LineNo, 'selfTest')
  const blockReasons = permit?.Conditions.filter(({ Met }) => !Met) ?? []
  return (
    <section className="part self-tests" aria-label={t('selfTest')}>
      <h3>
        {t('selfTest')}
        {plan.data && (
          <small>
            {plan.data.Overdue ? (
              <>
                <Mark kind="warning" /> {t('overdue')}
              </>
            ) : (
              plan.data.DueAt !== null && t('due', { date: new Date(plan.data.DueAt).toLocaleDateString() })
            )}
          </small>
        )}
        {plan.data && (
          <small>{plan.data.Enabled ? t('safety:planNow', { count: plan.data.EveryDays }) : t('safety:planOff')}</small>
        )}
        <span className="grow" />
        <ReasonedButton
          className="btn small"
          reason={may ? (plan.data ? null : t('control:notLoadedYet')) : t('control:noPermission')}
          onClick={() => setPlanning(true)}
        >
          {t('safety:plan')}
        </ReasonedButton>
        <ReasonedButton
          className="btn small"
          reason={whyNot(permit, { may, action: t('test') })}
          onClick={() => setTesting(true)}
        >
          {blockReasons.length > 0 && <Icon name="lock" />}
          {blockReasons.length > 0
            ? t('control:blocked', { action: t('startTest'), count: blockReasons.length })
            : t('startTest')}
        </ReasonedButton>
      </h3>
      {!permit && <p className="mute">{t('control:permitsUnknown', { action: t('test') })}</p>}
      {blockReasons.length > 0 && (
        <div className="permit">
          <BlockReasons conditions={blockReasons} />
        </div>
      )}
      {!tests.data && <Unloaded query={tests} />}
      {tests.data?.items.length === 0 && <p className="mute">{t('neverTested')}</p>}
      <ul>
        {tests.data?.items.slice(0, shownTests).map((test) => (
          <li key={test.CommandID}>
            <span>
              <b className={test.Result}>{test.Result === 'passed' ? t('passed') : t('failed')}</b> <Measured test={test} />
              <small className="mute">
                {clockTime(test.At)} · {test.Actor}
              </small>
            </span>
            <button type="button" className="btn small quiet" onClick={() => setCertificate(test.CommandID)}>
              {t('certificate')}
            </button>
          </li>
        ))}
      </ul>
      {testing && (
        <GroupOperationDialog
          title={t('testTitle', { name: line.LineName })}
          lines={[lineRef]}
          only="selfTest"
          onClose={() => setTesting(false)}
        />
      )}
      {planning && plan.data && (
        <PlanDialog
          title={t('safety:planOne', { name: line.LineName })}
          lines={[lineRef]}
          present={plan.data}
          onClose={() => setPlanning(false)}
        />
      )}
      {certificate && <CertificateDialog lineRef={lineRef} commandId={certificate} onClose={() => setCertificate(null)} />}
    </section>
  )
}
