import { lazyPart } from '../app/net/lazy-part.tsx'
import { hasPhoneRounds } from '../app/offline/phone-id.ts'
import { Shell as Frame } from '../app/shell/shell.tsx'
import { StepUp } from '../areas/account/step-up.tsx'
import { UserMenu } from '../areas/account/user-menu.tsx'
import { ClearPopUps } from '../areas/alarm/clear-pop-ups.tsx'
import { PopUps } from '../areas/alarm/pop-ups.tsx'
import { UnacknowledgedButton } from '../areas/alarm/unacknowledged-button.tsx'
import { areas, texts } from '../areas/areas.ts'
import { WarningCount } from '../areas/warning/warning-count.tsx'
import { OrderCount } from '../areas/workorder/order-count.tsx'
import { paths } from '../paths.ts'
import { plantLive } from '../plant/live.ts'
import { addTexts } from '../ui/i18n.ts'

addTexts(texts)

/** The plant first: what an area does with a message may look at how its line stands now. */
const live = [plantLive, ...areas.flatMap((area) => area.live ?? [])]

const counts = { [paths.warnings]: <WarningCount />, [paths.workOrders]: <OrderCount /> }

const Unsent = lazyPart(async () => (await import('./unsent.tsx')).Unsent, Nothing)

const LateTimers = lazyPart(async () => (await import('../areas/automation/late/late-line.tsx')).LateLine, Nothing)

/** A line that does not come says nothing of its own on every page. */
function Nothing() {
  return null
}

/** The frame of every page, with what each area puts into it. */
export const Shell = () => (
  <Frame
    live={live}
    tools={
      <>
        <UnacknowledgedButton />
        <ClearPopUps />
      </>
    }
    own={<UserMenu />}
    counts={counts}
    notices={
      <>
        <LateTimers />
        {hasPhoneRounds() && <Unsent />}
      </>
    }
    over={
      <>
        <PopUps />
        <StepUp />
      </>
    }
  />
)
