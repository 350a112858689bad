import type { beginSecondFactor, Reply } from '@linewarden/contract'
import { userInfo } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { setUser } from '../../app/session/session.ts'
import { signOut } from '../../app/session/sign-out.ts'
import { BrandLogo } from '../../app/shell/brand-logo.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Begin, Confirm } from './second-factor-dialog.tsx'
import { security } from './security-texts.ts'
import './must-enrol.css'

addTexts({ security })

/** This installation asks a second factor of this account: there is no other page until it is set up. */
export function MustEnrol({ userId }: { userId: string }) {
  const { t } = useTranslation(['security', 'app'])
  const [made, setMade] = useState<Reply<typeof beginSecondFactor> | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    setMade(null)
  }
  const goOn = async () => setUser(await api.call(userInfo))
  return (
    <main className="must-enrol">
      <BrandLogo height={28} />
      <h1>{t('factor')}</h1>
      <p>{t('factorMust')}</p>
      <p className="mute">{t('factorWhat')}</p>
      <p className="acts">
        <button type="button" className="btn primary" onClick={() => setOpen(true)}>
          {t('enable')}
        </button>
        <button type="button" className="btn" onClick={() => signOut(userId)}>
          {t('app:signOut')}
        </button>
      </p>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={() => void callWithToast(goOn())} />
      ) : made ? (
        <Confirm made={made} onCodes={setCodes} onClose={close} />
      ) : (
        open && <Begin onMade={setMade} onClose={close} />
      )}
    </main>
  )
}
