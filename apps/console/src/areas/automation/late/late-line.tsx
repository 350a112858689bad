import { lateTimers } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../../app/net/use-call.ts'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { paths } from '../../../paths.ts'
import { span } from '../../../ui/format.ts'
import { addTexts } from '../../../ui/i18n.ts'
import { Mark } from '../../../ui/mark.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { lateTexts } from './texts.ts'
import './late-line.css'

addTexts({ lateTexts })

/** The alarm of it comes live; this is asked for also where no alarm does. */
const everyMs = 30_000

/** While timers are due and no server processes them, one line on every page: what should happen by itself does not. */
export function LateLine() {
  return useMayOpen(paths.timers) ? <Late /> : null
}

function Late() {
  const { t } = useTranslation('lateTexts')
  const { data } = useCall(lateTimers, {}, { refetchInterval: everyMs })
  const second = useByNow((now) => Math.floor(now / 1_000))
  if (!data || data.Count === 0 || data.DueAt === null) return null
  return (
    <div className="late-line" role="alert">
      <Mark kind="fault" />
      <span>
        <b>{t('late', { count: data.Count })}</b>{' '}
        <span aria-live="off">{t('since', { span: span(second * 1_000 - data.DueAt) })}</span> {t('what')}
      </span>
      <Link className="text-link" to={paths.timers}>
        {t('show')}
      </Link>
    </div>
  )
}
