import { paths } from '../../../paths.ts'
import type { ConsolePages } from '../../console-area.ts'

/** Pages of the phone: they stand without the frame, and without the server. */
export const phonePages: ConsolePages = {
  [paths.phoneRounds]: async () => (await import('./my-rounds.tsx')).MyRounds,
  [paths.phoneWaiting]: async () => (await import('./waiting-screen.tsx')).WaitingScreen,
  [paths.phoneRound]: async () => (await import('./round-screen.tsx')).RoundScreen,
  [paths.phoneOrders]: async () => (await import('./orders/my-orders.tsx')).MyOrders,
  [paths.phoneOrder]: async () => (await import('./orders/order-screen.tsx')).OrderScreen,
  [paths.phoneStop]: async () => (await import('./stop-screen.tsx')).StopScreen,
}
