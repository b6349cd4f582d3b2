import { elementsOf } from './page.js';

/** @type {AudioContext | undefined} */
let audio;

/**
 * Plays tones, because packers look at the shelf and not at the screen. Browsers allow sound after a key or a click.
 * @type {(beeps: number, pitchHz: number, seconds: number) => void}
 */
const beep = (beeps, pitchHz, seconds) => {
  if (!('AudioContext' in window)) return;
  audio ??= new AudioContext();
  const VOLUME = 0.3;
  const volume = audio.createGain();
  volume.gain.value = VOLUME;
  volume.connect(audio.destination);
  for (let index = 0; index < beeps; index += 1) {
    const tone = audio.createOscillator();
    tone.type = 'square';
    tone.frequency.value = pitchHz;
    tone.connect(volume);
    tone.start(audio.currentTime + 2 * index * seconds);
    tone.stop(audio.currentTime + (2 * index + 1) * seconds);
  }
};

/** One short high tone: the scan was taken. */
export const soundTaken = () => beep(1, 1320, 0.06);

/** Three low tones if the page, or a new part of it, shows a refusal. @type {(within?: ParentNode) => boolean} */
export const soundAlarm = (within) => {
  if (elementsOf('[data-alarm]', within).length === 0) return false;
  beep(3, 330, 0.12);
  return true;
};

soundAlarm();
