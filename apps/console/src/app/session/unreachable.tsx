import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/body-state.tsx'
import { hasPhoneRounds } from '../offline/phone-id.ts'

/** The whole page when it was opened and the server is not there. It keeps trying by itself, and at once when the network returns. */
export function Unreachable({ busy, retry }: { busy: boolean; retry: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  useEffect(() => {
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [retry])
  return (
    <main className="page" role="alert">
      <Empty
        title={t('unreachable')}
        hint={t('unreachableHint')}
        action={{ label: t('retryNow'), run: retry, busy }}
        {...(hasPhoneRounds() && { second: { label: t('offlineRounds'), run: () => navigate(paths.phoneRounds) } })}
      />
    </main>
  )
}
