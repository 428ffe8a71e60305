// SPDX-License-Identifier: MIT
// Load, sample, change and save from C#: mcs First.cs && LD_LIBRARY_PATH=build/lib mono First.exe CLIP OUT
using System;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

static class First {
  [StructLayout(LayoutKind.Sequential)]
  struct Words {
    public IntPtr Data;
    public UIntPtr Size;
    public override string ToString() {
      var bytes = new byte[(int)Size];
      if (bytes.Length > 0) Marshal.Copy(Data, bytes, 0, bytes.Length);
      return Encoding.UTF8.GetString(bytes);
    }
  }
  [StructLayout(LayoutKind.Sequential)]
  struct Fault { public ulong Offset; public int Code; public Words Name, Message, Path, File; }
  [StructLayout(LayoutKind.Sequential)]
  struct ClipInfo {
    public Words Name, SkeletonName;
    public uint FrameCount, TrackCount, FloatTrackCount;
    public float DurationSeconds;
    public int Blend, Skeleton;
    public uint HasRootMotion, IsCompressed;
  }
  [StructLayout(LayoutKind.Sequential)]
  struct OutFile { public Words Name, Extension; public IntPtr Bytes; public UIntPtr ByteCount; }

  const string Library = "libmarrow.so";
  [DllImport(Library)] static extern int marrow_load_file(byte[] path, IntPtr context, out ulong document);
  [DllImport(Library)] static extern int marrow_get_clip(ulong document, uint clip, out ClipInfo info);
  [DllImport(Library)] static extern int marrow_open_sampler(ulong document, uint clip, ulong bones, uint skeleton, IntPtr context, out ulong sampler);
  [DllImport(Library)] static extern int marrow_sample_seconds(ulong sampler, double seconds, uint loop, int space, float[] pose, uint count);
  [DllImport(Library)] static extern int marrow_apply(ulong document, byte[] operation, byte[] options, IntPtr inputs, UIntPtr count, IntPtr context, IntPtr result);
  [DllImport(Library)] static extern int marrow_save(ulong document, byte[] options, byte[] name, IntPtr context, out ulong result);
  [DllImport(Library)] static extern int marrow_get_file(ulong result, uint index, out OutFile file);
  [DllImport(Library)] static extern int marrow_last_error(out Fault fault);
  [DllImport(Library)] static extern int marrow_release(ulong handle);

  static byte[] Text(string text) { return Encoding.UTF8.GetBytes(text + "\0"); }
  static void Check(int status) {
    if (status == 0) return;
    Fault fault;
    marrow_last_error(out fault);
    throw new IOException(fault.File + ": " + fault.Message);
  }

  static int Main(string[] words) {
    try {
      ulong clip, sampler, saved;
      ClipInfo info;
      OutFile file;
      Check(marrow_load_file(Text(words[0]), IntPtr.Zero, out clip));
      Check(marrow_get_clip(clip, 0, out info));
      Console.WriteLine("{0} frames, {1} tracks", info.FrameCount, info.TrackCount);
      Check(marrow_open_sampler(clip, 0, 0, 0, IntPtr.Zero, out sampler));
      var pose = new float[info.TrackCount * 10];
      Check(marrow_sample_seconds(sampler, 0.25, 1, 0, pose, (uint)pose.Length));
      Console.WriteLine(string.Format(CultureInfo.InvariantCulture, "{0:F3} {1:F3} {2:F3}", pose[10], pose[11], pose[12]));
      Check(marrow_apply(clip, Text("annotations add"), Text("{\"time\": 0.25, \"text\": \"FootLeft\"}"), IntPtr.Zero, UIntPtr.Zero, IntPtr.Zero, IntPtr.Zero));
      Check(marrow_save(clip, null, null, IntPtr.Zero, out saved));
      Check(marrow_get_file(saved, 0, out file));
      var bytes = new byte[(int)file.ByteCount];
      Marshal.Copy(file.Bytes, bytes, 0, bytes.Length);
      File.WriteAllBytes(words[1], bytes);
      foreach (var handle in new[] { saved, sampler, clip }) Check(marrow_release(handle));
      return 0;
    } catch (IOException error) {
      Console.Error.WriteLine(error.Message);
      return 1;
    }
  }
}
