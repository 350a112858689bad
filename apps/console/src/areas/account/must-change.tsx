import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { signOut } from '../../app/session/sign-out.ts'
import { BrandLogo } from '../../app/shell/brand-logo.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { texts } from '../areas.ts'
import { MyAccount } from './my-account.tsx'
import { StepUp } from './step-up.tsx'
import './must-enrol.css'

addTexts(texts)

/** Somebody else gave this password, and knows it: there is no other page until it is changed. */
export function MustChange({ userId }: { userId: string }) {
  const { t } = useTranslation(['people', 'app'])
  const [open, setOpen] = useState(false)
  return (
    <main className="must-enrol">
      <BrandLogo height={28} />
      <h1>{t('mustChange')}</h1>
      <p>{t('mustChangeWhy')}</p>
      <p className="mute">{t('mustChangeThen')}</p>
      <p className="acts">
        <button type="button" className="btn primary" onClick={() => setOpen(true)}>
          {t('myPassword')}
        </button>
        <button type="button" className="btn" onClick={() => signOut(userId)}>
          {t('app:signOut')}
        </button>
      </p>
      <StepUp />
      {open && <MyAccount what="password" onClose={() => setOpen(false)} />}
    </main>
  )
}
