import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/body-state.tsx'

/** The whole page when it was opened and the server is not there. It keeps trying by itself, and at once when the network returns. */
export function Unreachable({ busy, retry }: { busy: boolean; retry: () => void }) {
  const { t } = useTranslation()
  useEffect(() => {
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [retry])
  return (
    <main className="page" role="alert">
      <Empty title={t('unreachable')} hint={t('unreachableHint')} action={{ label: t('retryNow'), run: retry, busy }} />
    </main>
  )
}
