import type { InspectionRound } from '@linewarden/contract'
import { abandonRound, returnRound, startRound } from '@linewarden/contract'
import type { PersonRoundAct } from '@linewarden/rules/inspection'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { messageOf } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { phoneRound } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { ApproveDialog } from './approve-dialog.tsx'

type Asked = 'approve' | 'return' | 'abandon'

/** What this person can do with the round now; what they cannot says why. A round on site is walked with a phone. */
export function RoundActs({ round }: { round: InspectionRound }) {
  const { t } = useTranslation('inspection')
  const mayEdit = useMayEdit()
  const [asking, setAsking] = useState<Asked | null>(null)
  const [busy, setBusy] = useState(false)
  // Of what is seen now: somebody else may have decided meanwhile.
  const [version, setVersion] = useState(round.Version)
  if (!mayEdit || round.Acts.length === 0) return null
  const isOnSite = round.Kind === 'onSite'
  const start = async () => {
    if (busy) return
    setBusy(true)
    await callWithToast(change(startRound, { body: { HouseID: round.HouseID, RoundID: round.RoundID } }))
    setBusy(false)
  }
  const begin = (act: PersonRoundAct) => {
    setVersion(round.Version)
    if (act === 'start') void start()
    else if (act !== 'finish') setAsking(act)
  }
  const decide = (call: typeof returnRound | typeof abandonRound) => async (Reason: string) => {
    try {
      await change(call, { params: { RoundID: round.RoundID }, body: { Version: version, Reason } })
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  const shown = round.Acts.filter(({ Act }) => Act !== 'finish' && (Act !== 'start' || !isOnSite))
  const isWalked = isOnSite && ['planned', 'started', 'returned'].includes(round.State)
  if (shown.length === 0 && !isWalked) return null
  return (
    <div className="drawer-foot">
      {isWalked && (
        <Link className="btn large primary" to={phoneRound(round.RoundID)}>
          {t('onPhone')}
        </Link>
      )}
      {shown.map(({ Act, Refusal }) => (
        <ReasonedButton
          key={Act}
          className={Act === 'approve' || Act === 'start' ? 'btn large primary' : 'btn large'}
          reason={Refusal && localised(Refusal.Text)}
          aria-busy={Act === 'start' && busy}
          onClick={() => begin(Act)}
        >
          {t(`press.${Act}`)}
        </ReasonedButton>
      ))}
      {asking === 'approve' && <ApproveDialog round={round} version={version} onClose={() => setAsking(null)} />}
      {asking === 'return' && (
        <ConfirmDialog
          title={t('acts.return')}
          what={t('returnWhat')}
          submit={t('acts.return')}
          reasons={[t('reasons.unclear'), t('reasons.photos'), t('reasons.incomplete')]}
          onConfirm={decide(returnRound)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'abandon' && (
        <ConfirmDialog
          title={t('acts.abandon')}
          what={t('abandonWhat')}
          submit={t('acts.abandon')}
          reasons={[t('reasons.noAccess'), t('reasons.weather'), t('reasons.urgent')]}
          onConfirm={decide(abandonRound)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  )
}
