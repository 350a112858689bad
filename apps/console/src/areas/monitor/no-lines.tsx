import type { ComponentProps } from 'react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { Empty, Loading } from '../../ui/body-state.tsx'

const FirstRun = lazyPart(async () => (await import('../site/first-run.tsx')).FirstRun)

/** No line anywhere: who may set the plant up is led to the first one. */
export function NoLines(props: ComponentProps<typeof FirstRun>) {
  const { t } = useTranslation('monitor')
  const may = [useMayEdit(), useMayOpen('/system/project'), useMayOpen('/system/geteway')].every(Boolean)
  if (!may) return <Empty title={t('emptyTitle')} hint={t('emptyHint')} />
  return (
    <Suspense fallback={<Loading />}>
      <FirstRun {...props} />
    </Suspense>
  )
}
