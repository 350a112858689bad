import type { Exposure } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import './exposure-line.css'

/** One line for who runs the installation: what others on the network can read, and what to do. It can be put away. */
export function ExposureLine({ exposures, userId }: { exposures: readonly Exposure[]; userId: string }) {
  const { t } = useTranslation(['exposure', 'app'])
  // In another tab, for somebody else, or with something new it is there again.
  const now = JSON.stringify([userId, exposures.map(({ Kind, Said }) => [Kind, Said.en])])
  const [putAway, setPutAway] = useState(() => sessionStorage.getItem(key))
  if (putAway === now) return null
  const plain = exposures.flatMap(({ Kind }) => (Kind === 'certificate' || Kind === 'auditCopy' ? [] : [t(`what.${Kind}`)]))
  const has = (kind: Exposure['Kind']) => exposures.some(({ Kind }) => Kind === kind)
  return (
    <section className="exposure" aria-label={t('title')}>
      <Icon name="shield" />
      <details>
        <summary>
          {plain.length > 0 && <b>{t('plain', { what: plain.join(t('app:listComma')) })} </b>}
          {has('certificate') && <b>{t('certificate')} </b>}
          {has('auditCopy') && <b>{t('auditCopy')} </b>}
          <span>{t('toDo')}</span>
        </summary>
        <ul>
          {exposures.map(({ Kind, Said }) => (
            <li key={Kind + Said.en}>{localised(Said)}</li>
          ))}
        </ul>
      </details>
      <button
        type="button"
        className="btn quiet small"
        aria-label={t('close')}
        title={t('close')}
        onClick={() => {
          sessionStorage.setItem(key, now)
          setPutAway(now)
        }}
      >
        <Icon name="close" />
      </button>
    </section>
  )
}

const key = 'linewarden.exposures'
