import type { SimulatedGateway } from '../gateway.ts'
import { soundSupply } from '../plant/supply.ts'
import { faultOf } from './fault.ts'
import * as supply from './supply-faults.ts'

const fault = faultOf<SimulatedGateway>()

/** What is wrong with the supply of its cabinet, all lines of it have. */
export const gatewayFaults = {
  gatewayOffline: fault(
    'Its network is cut, until `gatewayBack`. What it reads is kept and comes later.',
    null,
    {},
    (gateway, _, courses) => {
      courses.end(gateway)
      gateway.disconnectAbruptly()
    },
  ),
  gatewayBack: fault('It connects again.', null, {}, (gateway, _, courses) => {
    courses.end(gateway)
    void gateway.reconnect()
  }),
  gatewayOutage: fault(
    'Its network is cut, and comes back by itself.',
    null,
    { for: { time: '2m' } },
    (gateway, values, courses) => {
      gateway.disconnectAbruptly()
      courses.begin(gateway, 'outage', (passedMs) => {
        if (passedMs < values.for) return true
        void gateway.reconnect()
        return false
      })
    },
  ),
  upstreamOutage: fault(
    'What feeds its cabinet is off: every line reads no voltage and stays as it is switched. The gateway lives on its own battery, then it is gone too.',
    null,
    { for: { time: '2m' }, battery: { time: '1h' } },
    (gateway, values, courses) => {
      gateway.board.fault.outage = true
      let alive = true
      courses.begin(gateway.board, 'outage', (passedMs) => {
        const over = passedMs >= values.for
        if (over) gateway.board.fault.outage = false
        else if (alive && passedMs >= values.battery) {
          alive = false
          gateway.disconnectAbruptly()
        }
        if (over && !alive) void gateway.reconnect()
        return !over
      })
    },
  ),
  neutralBreak: fault(supply.neutralBreak.about, null, supply.neutralBreak.parameters, ({ board }, values, courses) =>
    supply.neutralBreak.happen(board.fault, values, courses),
  ),
  phaseLoss: fault(supply.phaseLoss.about, null, supply.phaseLoss.parameters, ({ board }, values) =>
    supply.phaseLoss.happen(board.fault, values),
  ),
  unbalance: fault(supply.unbalance.about, null, supply.unbalance.parameters, ({ board }, values, courses) =>
    supply.unbalance.happen(board.fault, values, courses),
  ),
  supplyBack: fault(
    'The supply of its cabinet is sound again, and so is every contact of it.',
    null,
    {},
    (gateway, _, courses) => {
      const { board } = gateway
      for (const each of [board, board.fault]) courses.end(each)
      Object.assign(board.fault, soundSupply(), { outage: false })
      if (!gateway.isBorn) void gateway.reconnect()
    },
  ),
  powerLoss: fault('Its own power goes and comes back at once: whatever it was doing is over.', null, {}, (gateway) => {
    void gateway.powerLoss()
  }),
  firmwareBad: fault(
    'Firmware that is installed from now on does not come up: it goes back to what it ran before.',
    null,
    {},
    ({ updater }) => {
      updater.habits.comesUp = false
    },
  ),
  firmwareGood: fault('Firmware comes up again.', null, {}, ({ updater }) => {
    updater.habits.comesUp = true
  }),
  clockWrong: fault(
    // By a slow clock a deadline that has passed is still to come.
    'Its clock is so much slow, and it calls itself synchronised, as with a bad time server.',
    null,
    { by: { time: '7m' } },
    (gateway, { by }) => gateway.setClock(-by),
  ),
  clockRight: fault('Its clock is right again.', null, {}, (gateway) => gateway.setClock(0)),
  mechanismStuck: fault('It takes commands and moves nothing.', null, {}, ({ behaviour }) => {
    behaviour.move = false
  }),
  mechanismFree: fault('It moves again.', null, {}, ({ behaviour }) => {
    behaviour.move = true
  }),
}
