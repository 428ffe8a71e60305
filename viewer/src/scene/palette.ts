// SPDX-License-Identifier: MIT
// Colours of what is drawn, for both themes. Origins and layers are told apart by hue at equal weight.
import { Color } from 'three';

export interface Palette {
  background: Color;
  grid: Color;
  gridStrong: Color;
  bone: Color;
  second: Color;
  left: Color;
  right: Color;
  flesh: Color;
  selected: Color;
  hovered: Color;
  trail: Color;
  mesh: Color;
  limit: Color;
}

const colours = (values: Record<keyof Palette, string>): Palette =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Color(value)])) as unknown as Palette;

export const palettes: Record<'light' | 'dark', Palette> = {
  light: colours({
    background: '#eef0f3', grid: '#dde2e9', gridStrong: '#c6cedb', bone: '#c8ab6a', second: '#8a6fb8', left: '#4f8ed6', right: '#e8793f', flesh: '#7d8fa6',
    selected: '#c0176f', hovered: '#dd5c9c', trail: '#c0176f', mesh: '#9aa3b0', limit: '#3f7d8c',
  }),
  dark: colours({
    background: '#15181d', grid: '#20262e', gridStrong: '#303945', bone: '#d8b25f', second: '#b79cf0', left: '#5b9be0', right: '#ff8f5a', flesh: '#8ea3bf',
    selected: '#ff5fb0', hovered: '#ff9fd0', trail: '#ff5fb0', mesh: '#77808e', limit: '#68b6c6',
  }),
};

/** Colours for things without an order: origins, layers, shapes. */
const kHues = ['#4c9f8b', '#c77b3c', '#7a6fc2', '#b8527f', '#6a9a3b', '#3f86b8', '#b59b2e', '#8a6a52', '#5b6f8f', '#c05a4a'];
export const hue = (index: number): Color => new Color(kHues[((index % kHues.length) + kHues.length) % kHues.length]);

/** From none (cool) to much (hot), for differences. */
export function heat(share: number): Color {
  const stops = ['#3f86b8', '#6fae8f', '#d9b44a', '#d97a3a', '#c23b2e'].map((stop) => new Color(stop));
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  return stops[low]!.clone().lerp(stops[low + 1]!, at - low);
}
