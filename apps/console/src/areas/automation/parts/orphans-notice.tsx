import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { useSession } from '../../../app/session/session.ts'
import { Mark } from '../../../ui/mark.tsx'
import './parts.css'

/** Says that nobody answers for some of what is listed; an administrator takes over all of it. */
export function OrphansNotice({
  text,
  byAdministrator,
  reason,
  onTake,
}: {
  text: string
  /** Why somebody who is no administrator cannot. */
  byAdministrator: string
  reason: string | null
  onTake: () => void
}) {
  const { t } = useTranslation('automation')
  const isAdministrator = useSession(({ user }) => user?.Roles.IsAdministrators === true)
  return (
    <div className="list-notice fault">
      <Mark kind="fault" />
      <span>{text}</span>
      <ReasonedButton className="btn small" reason={reason ?? (isAdministrator ? null : byAdministrator)} onClick={onTake}>
        {t('takeAll')}
      </ReasonedButton>
    </div>
  )
}
